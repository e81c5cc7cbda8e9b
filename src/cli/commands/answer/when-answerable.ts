// When an agent for which answering is installed can be answered from elsewhere, in words.
import type { Agent } from '../../../model/agent/agent.ts';

/** "when it is started by `belfry run NAME` or while you are away (`belfry away`)"; empty: always. */
export function conditionsOf({ name, answering, wrapping, joining }: Agent): string {
  return [
    ...(wrapping === undefined ? [] : [`when it is started by \`belfry run ${name}\``]),
    ...(joining === undefined ? [] : ['when it is started as usual']),
    ...(answering?.inside?.needs ? [answering.inside.needs.when] : []),
    ...(answering?.holds === true ? ['while you are away (`belfry away`)'] : []),
  ].join(' or ');
}
