// Starts the mock service for the organization's service on this machine; its state lives in memory.
import { serve } from '@hono/node-server';
import type { AddressInfo } from 'node:net';
import { type Clock, systemClock } from '../lib/clock.ts';
import { analyticsOf } from './analytics.ts';
import { APP_PREFIX, appOf } from './app.ts';
import { type Computers, computersOf } from './computers.ts';
import { type Controls, controlsOf } from './enterprise-controls.ts';
import { type Faults, troubled } from './faults.ts';
import { type Keys, keysOf } from './api-keys.ts';
import { limitsOf } from './limits.ts';
import { type Readiness, readinessOf } from './readiness.ts';
import { sessionsOf } from './sessions.ts';

/** How the mock service is to behave. */
export interface SandboxOptions {
  /** 0 or absent: any free port. */
  readonly port?: number | undefined;
  /** Injected faults: see Faults. */
  readonly latencyMs?: Faults['latencyMs'] | undefined;
  readonly failRate?: Faults['failRate'] | undefined;
  readonly rateLimit?: Faults['rateLimit'] | undefined;
  /** Other data for another seed. */
  readonly seed?: string | undefined;
  /** Drives everything that changes over time. */
  readonly clock?: Clock | undefined;
}

/** A running mock service. */
export interface Sandbox extends Keys {
  readonly baseUrl: string;
  readonly appUrl: string;
  /** Adds a settings revision. */
  readonly changeControls: Controls['change'];
  /** Turns a computer (by name) to error with this text, or back with null. */
  readonly setFault: Computers['setFault'];
  /** Adds a newer readiness report. */
  readonly addReport: Readiness['add'];
  readonly close: () => Promise<void>;
}

/** Starts it on the loopback address; resolves when it listens. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { seed = '1', clock = systemClock, port = 0 } = options;
  const now = (): number => clock.now();
  const keys = keysOf(seed);
  const computers = computersOf(seed, now);
  const controls = controlsOf(seed, now);
  const readiness = readinessOf(seed, now);
  const faults = {
    latencyMs: options.latencyMs ?? 0,
    failRate: options.failRate ?? 0,
    rateLimit: options.rateLimit ?? null,
  };
  const app = appOf({
    handlers: {
      analytics: analyticsOf(seed),
      readinessReports: readiness.handlers,
      enterpriseControls: controls.handlers,
      computers: computers.handlers,
      sessions: sessionsOf(seed, now, computers),
      usageLimits: limitsOf(seed),
    },
    keys,
    now,
    trouble: troubled(faults, seed, clock),
  });
  const server = serve({ fetch: app.fetch, port, hostname: '127.0.0.1' });
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve);
    server.once('error', reject);
  });
  // A TCP server that listens has an address with a port.
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...keys,
    baseUrl,
    appUrl: `${baseUrl}${APP_PREFIX}`,
    changeControls: controls.change,
    setFault: computers.setFault,
    addReport: readiness.add,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
}
