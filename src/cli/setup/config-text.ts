// The settings file that `setup` writes: few lines in force, the rest as comments to start from.
import type { ChannelHere } from './channels-here.ts';

/** config.toml for these channels. */
export function configText(channels: readonly ChannelHere[]): string {
  const names = channels.map(({ type }) => `"${type}"`).join(', ');
  const sections = channels.map(({ type, summary, lines }) => `# ${summary}.\n[channels.${type}]\n${lines}\n`);
  const route = `# Who is told of what: the first route that matches takes it. This one takes all that is worth an interruption.
[[routes]]
match = { urgency = ["normal", "urgent"] }
to = [${names}]
`;
  const parts = [HEAD, ...(channels.length > 0 ? [...sections, route] : [NONE]), MORE];
  return parts.join('\n');
}

const HEAD = `# Belfry's settings. A change takes effect at once.
#   belfry config check    says whether it is right, with line and column
#   belfry config show     prints what is in force, defaults included
#   belfry config schema   for your editor
`;

const NONE = `# No channel was at hand when this was written, so the defaults are in force.
`;

const MORE = `# What a notification says beyond the hook's input.
# [context]
# messages = 3
# timeout = "3s"

# Your organization's service, for context and watches.
# [api]
# base_url = "https://..."
# key = "env:BELFRY_API_KEY"

# How much text leaves this machine: full, short or title; and what is to be blacked out besides secrets.
# [redaction]
# level = "full"
# patterns = ["ACME-[0-9]{8}"]
`;
