// When an agent for which answering is installed can be answered from elsewhere, in words.
import type { Agent } from '../../../model/agent/agent.ts';

/** "when it is started by `belfry run NAME` or while you are away (`belfry away`)"; empty: always. `far`: on a machine elsewhere, where only its hooks wait. */
export function conditionsOf({ name, answering, wrapping, joining }: Agent, far = false): string {
  return [
    ...(wrapping === undefined || far ? [] : [`when it is started by \`belfry run ${name}\``]),
    ...(joining === undefined || far ? [] : ['when it is started as usual']),
    ...(answering?.inside?.needs && !far ? [answering.inside.needs.when] : []),
    ...(answering?.holds === true ? ['while you are away (`belfry away`)'] : []),
  ].join(' or ');
}
