// What is announced to Home Assistant, so that it shows the sessions without being set up (home-assistant.io, "MQTT Discovery").
import { sha256 } from '../../lib/hash.ts';
import { sanitizeLine } from '../../lib/text/text.ts';
import { VERSION } from '../../lib/version.ts';
import { HERE } from '../../model/session/whereabouts.ts';
import type { SessionRecord } from '../../model/session/session.ts';
import type { TopicMessage } from './connection.ts';
import type { topicsOf } from './topics.ts';

type Topics = ReturnType<typeof topicsOf>;

const LONGEST_NAME = 80;
/** Letters, digits, - and _ are all that Home Assistant takes in these topics. */
const machineId = (): string => `belfry_${sha256(`${HERE.host}\n${HERE.user}`, 10)}`;
const configTopic = (id: string): string => `homeassistant/sensor/${machineId()}/${id}/config`;
const idOf = (stateTopic: string): string => `session_${sha256(stateTopic, 16)}`;

/** What all sensors of this machine have. */
function common(topics: Topics, id: string) {
  const device = { identifiers: [machineId()], name: `Belfry on ${HERE.host}`, sw_version: VERSION };
  return {
    unique_id: `${machineId()}_${id}`,
    availability_topic: topics.status,
    device,
    origin: { name: 'Belfry', sw_version: VERSION },
  };
}

const announced = (id: string, config: object): TopicMessage => ({
  topic: configTopic(id),
  payload: JSON.stringify(config),
  retain: true,
});

/** How many sessions wait for somebody. */
export function waitingSensor(topics: Topics): TopicMessage {
  return announced('waiting', {
    ...common(topics, 'waiting'),
    name: 'Sessions that wait for you',
    icon: 'mdi:bell-ring',
    state_topic: topics.sessions,
    value_template: '{{ value_json.waiting }}',
    json_attributes_topic: topics.sessions,
    state_class: 'measurement',
  });
}

/** The state of one session. Its name is text of an agent, which no template is made of. */
export function sessionSensor(topics: Topics, { agent, project, title, sessionId }: SessionRecord): TopicMessage {
  const state = topics.state(sessionId);
  const name = sanitizeLine([agent, project, title].filter((part) => part !== null).join(' · '), LONGEST_NAME);
  return announced(idOf(state), {
    ...common(topics, idOf(state)),
    name,
    icon: 'mdi:robot',
    state_topic: state,
    value_template: '{{ value_json.state }}',
    json_attributes_topic: state,
  });
}

/** The session is not shown any more. */
export function withoutSensor(stateTopic: string): TopicMessage {
  return { topic: configTopic(idOf(stateTopic)), payload: '', retain: true };
}
