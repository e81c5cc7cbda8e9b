// The settings file that `setup` writes: a few settings, the rest as comments to start from.
import { channels as registered } from '../../../channels/index.ts';
import type { ChannelHere } from './channels-here.ts';

/** config.toml for these channels. `locked`: names that a channel of one's own cannot have on this machine. */
export function configText(channels: readonly ChannelHere[], locked: readonly string[] = []): string {
  const parts = [HEAD, ...(channels.length > 0 ? [channelText(channels)] : [NONE]), examples(channels, locked), MORE];
  return parts.join('\n');
}

/** Sections of these channels, and a route to them. */
export function channelText(channels: readonly ChannelHere[]): string {
  const names = channels.map(({ type }) => `"${type}"`).join(', ');
  const sections = channels.map(({ type, summary, lines }) => `# ${summary}.\n[channels.${type}]\n${lines}\n`);
  const route = `# Who is notified of what: the first route that matches is used. This one matches everything that may interrupt you.
[[routes]]
match = { urgency = ["normal", "urgent"] }
to = [${names}]
`;
  return [...sections, route].join('\n');
}

/** Channels that were not chosen, as comments. */
function examples(chosen: readonly ChannelHere[], locked: readonly string[]): string {
  const others = registered.filter(
    ({ type, defaultSettings }) =>
      defaultSettings === null && !locked.includes(type) && !chosen.some((channel) => channel.type === type),
  );
  const texts = others.map(({ type, docs }) => {
    const lines = docs.example.replace(/^(\w+) = "env:\w+"/gm, (_line, key: string) => {
      return `${key} = "secret:${key === 'url' ? type : `${type}_${key}`}"`;
    });
    return comment(`${docs.summary}.\n[channels.${type}]\n${lines}`);
  });
  const [first] = others;
  const route = comment(
    `Put a narrower route above the others.\n[[routes]]\nmatch = { urgency = "urgent" }\nto = ["${first?.type}"]`,
  );
  return first ? `${[SECRETS, ...texts, route].join('\n#\n')}\n` : '';
}

const comment = (text: string): string => text.replace(/^/gm, '# ');

const SECRETS = '# More channels. `belfry secret set NAME` stores what "secret:NAME" refers to.';

const HEAD = `# Belfry's settings. Changes take effect at once.
#   belfry config check    checks this file, with line and column
#   belfry config show     prints the settings, defaults included
#   belfry config schema   JSON Schema for your editor
`;

const NONE = `# No channel worked here when this file was written. Until there is one below, the defaults apply.
`;

const MORE = `# What a notification says beyond the hook's input.
# [context]
# messages = 3
# timeout = "3s"

# Your organization's service, for context and watches.
# [api]
# base_url = "https://..."
# key = "secret:api"

# How much text leaves this machine: full, short or title; and what to remove from it besides secrets.
# [redaction]
# level = "full"
# patterns = ["ACME-[0-9]{8}"]
`;
