// `belfry api`: one subcommand an endpoint of the contract, in the group of its resource.
import type { Command } from 'commander';
import { entries } from '../../api/contract/contract.ts';
import type { Define } from '../command-entry.ts';
import { defineEndpoint } from './endpoint.ts';
import { kebab } from './flags.ts';
import { customCommands } from './custom-commands/index.ts';

export const define: Define = (command, io) => {
  const groups = new Map<string, Command>();
  const group = (resource: string): Command => {
    const known = groups.get(resource);
    if (known) return known;
    const made = command
      .command(kebab(resource))
      .description(`${kebab(resource).replaceAll('-', ' ')} of your organization`);
    groups.set(resource, made);
    return made;
  };
  for (const entry of entries) {
    const own = customCommands.find((one) => one.resource === entry.resource && one.name === kebab(entry.method));
    const leaf = group(entry.resource).command(kebab(entry.method)).description(entry.endpoint.summary);
    if (own?.define) own.define(leaf, io);
    else defineEndpoint(leaf, io, entry, own);
  }
  for (const own of customCommands.filter(({ extra }) => extra !== undefined)) {
    const leaf = group(own.resource)
      .command(own.name)
      .description(own.extra ?? '');
    own.define?.(leaf, io);
  }
};
