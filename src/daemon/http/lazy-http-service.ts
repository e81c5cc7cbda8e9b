// Keeps the HTTP interface as the settings want it, and where the page is open. Nothing of it is loaded until an address is named or the page opened.
import { isLoopback, type ListenAddress, formatAddress, parseListenAddress } from '../../lib/net/listen-address.ts';
import type { Config } from '../../model/settings/config.ts';
import { UserError } from '../../model/errors.ts';
import type { CommandContext } from '../commands/context.ts';
import type { HttpService, PageAddress } from '../shared/http-service.ts';
import type { HttpInterface, HttpInterfaceDeps, HttpInterfaceSettings } from './interface.ts';
import { tokenFileIn } from '../../http/token-file.ts';
import { createTokens, type Tokens } from '../../http/tokens.ts';
import { createRedirects, type Redirects } from './page/redirect-file.ts';
import { openPageTokens, type PageTokens } from './page/page-tokens.ts';

/** One whose endpoints are yet to be given what they work with. */
export interface MountedHttp extends HttpService {
  /** Before it is configured. */
  attach(context: CommandContext): void;
}

/** Off until it is configured. */
export function createHttpService(deps: HttpInterfaceDeps): MountedHttp {
  return new LazyHttp(deps);
}

class LazyHttp implements MountedHttp {
  readonly #deps: HttpInterfaceDeps;
  #context: CommandContext | null = null;
  #settings: HttpInterfaceSettings = { listen: [], hosts: [], metrics: false };
  #interface: Promise<HttpInterface> | null = null;
  readonly #tokens: Tokens;
  readonly #redirects: Redirects;
  #pageTokens: Promise<PageTokens> | null = null;
  /** Where the page is served beside the settings' addresses; null: nowhere. */
  #page: ListenAddress | null = null;
  #addresses: readonly string[] = [];
  #stopped = false;

  constructor(deps: HttpInterfaceDeps) {
    this.#deps = deps;
    const { state, run, clock, log } = deps;
    this.#tokens = createTokens({ file: tokenFileIn(state), now: clock.now, log });
    this.#redirects = createRedirects(run, clock);
  }

  attach(context: CommandContext): void {
    this.#context = context;
  }

  addresses(): readonly string[] {
    return this.#addresses;
  }

  refused(): readonly string[] {
    const wanted = this.#settings.listen.filter(({ port }) => port !== 0); // 0: any that is free
    return wanted.map(formatAddress).filter((address) => !this.#addresses.includes(address));
  }

  async configure(config: Config): Promise<void> {
    this.#settings = interfaceSettings(config);
    const tokens = await this.#letIn();
    await this.#redirects.sweep();
    // A page that is open somewhere finds this daemon again.
    if (this.#page === null && (await tokens.inUse())) this.#page = pageAddress(this.#settings, await tokens.port());
    await this.#apply();
  }

  async openPage(file: boolean): Promise<PageAddress> {
    const tokens = await this.#letIn();
    this.#page ??= pageAddress(this.#settings, await tokens.port());
    await this.#apply();
    const bound = await this.#boundPage(tokens);
    const path = file ? this.#redirects.path() : null;
    const url = `http://${formatAddress(bound)}/#t=${tokens.issueCode(() => this.#redirects.remove(path))}`;
    if (path !== null) await this.#redirects.write(path, url);
    return { url, file: path };
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await (await this.#interface)?.stop();
    await this.#redirects.stop();
  }

  #letIn(): Promise<PageTokens> {
    const { state, clock } = this.#deps;
    this.#pageTokens ??= openPageTokens(tokenFileIn(state), this.#tokens, clock.now);
    return this.#pageTokens;
  }

  async #apply(): Promise<void> {
    const { listen, hosts, metrics } = this.#settings;
    const all = this.#page === null ? listen : [...listen.filter((at) => at !== this.#page), this.#page];
    if (this.#stopped || (this.#interface === null && all.length === 0)) return;
    this.#interface ??= this.#load();
    // An open page alone needs no metrics, and they take a MB.
    await (await this.#interface).configure({ hosts, metrics: metrics && listen.length > 0, listen: all });
  }

  /** The port of before may be taken by now: then any other. */
  async #boundPage(tokens: PageTokens): Promise<ListenAddress> {
    const served = await this.#interface;
    let bound = this.#page === null ? null : (served?.bound(this.#page) ?? null);
    if (bound === null && this.#page?.port !== 0) {
      this.#page = { host: LOOPBACK, port: 0 };
      await this.#apply();
      bound = served?.bound(this.#page) ?? null;
    }
    if (bound === null) throw new UserError('no port of 127.0.0.1 can be listened on: see `belfry logs`');
    await tokens.keepPort(bound.port);
    return bound;
  }

  async #load(): Promise<HttpInterface> {
    const context = this.#context;
    if (context === null) throw new Error('the HTTP interface is configured before it is attached');
    const [{ createHttpInterface }, pageTokens] = await Promise.all([import('./interface.ts'), this.#letIn()]);
    return createHttpInterface(this.#deps, { context, tokens: this.#tokens, pageTokens }, (now) => {
      this.#addresses = now;
      this.#deps.bus.publish({ type: 'listening', addresses: now });
    });
  }
}

const LOOPBACK = '127.0.0.1';

/** One of the settings' own where there is one on loopback; else that of before, or any. */
function pageAddress({ listen }: HttpInterfaceSettings, before: number | null): ListenAddress {
  return listen.find((at) => isLoopback(at)) ?? { host: LOOPBACK, port: before ?? 0 };
}

function interfaceSettings({ http, daemon }: Config): HttpInterfaceSettings {
  const older = daemon.metrics === undefined ? [] : [daemon.metrics];
  const listen = [...new Set([...http.listen, ...older])].flatMap((text) => parseListenAddress(text) ?? []);
  return { listen, hosts: http.hosts, metrics: http.metrics || older.length > 0 };
}
