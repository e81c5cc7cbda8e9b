// Who may import whom, as ARCHITECTURE.md draws it. A module is a folder; a path below one, such as `index` of a registry, is that file only.

/** What a module may import besides itself, Node's built-ins and packages. */
export const RULES: Readonly<Record<string, readonly string[]>> = {
  'src/runtime': [],
  'src/ipc': ['src/runtime'],
  hooks: ['src/ipc', 'src/runtime'],
  'src/model': ['src/ipc'],
  'src/lib': [],
  'src/files': ['src/lib'],
  'src/agents/shared': ['src/model', 'src/lib'],
  'src/agents': ['src/model', 'src/lib', 'src/agents/shared'],
  'src/channels': ['src/model', 'src/lib'],
  'src/api': ['src/model', 'src/lib'],
  'src/redaction': ['src/model', 'src/lib'],
  'src/dispatch': ['src/model', 'src/lib'],
  'src/pipeline': ['src/model', 'src/lib/text', 'src/dispatch'],
  'src/store': ['src/runtime', 'src/model', 'src/lib'],
  'src/sources': ['src/ipc', 'src/runtime', 'src/model', 'src/lib', 'src/store', 'src/api'],
  'src/ingest': ['src/ipc', 'src/model', 'src/lib', 'src/store', 'src/api'],
  'src/answering': ['src/ipc', 'src/runtime', 'src/model', 'src/lib', 'src/store'],
  'src/enrichment': ['src/files', 'src/model', 'src/lib', 'src/store', 'src/api'],
  'src/decisions': [
    'src/model',
    'src/lib',
    'src/dispatch',
    'src/pipeline',
    'src/redaction',
    'src/store',
    'src/agents/index',
  ],
  'src/delivery': ['src/model', 'src/lib', 'src/store'],
  'src/link': ['src/model', 'src/lib', 'src/pipeline', 'src/redaction', 'src/store'],
  'src/http': ['src/runtime', 'src/model', 'src/lib', 'src/store'],
  'src/peer': ['src/runtime', 'src/model', 'src/lib'],
  'src/presence': ['src/runtime', 'src/model', 'src/lib'],
  'src/place': ['src/runtime', 'src/model', 'src/lib', 'src/presence'],
  'src/config': [
    'src/runtime',
    'src/model',
    'src/lib',
    'src/channels/index',
    'src/agents/index',
    'src/sources/watches/index',
  ],
  'src/sandbox': ['src/api', 'src/model', 'src/lib'],
  'src/web': [
    'src/http/api/client',
    'src/http/api/paths',
    'src/http/api/contract',
    'src/model/agent/tool-kinds',
    'src/model/channel/push-message',
    'src/model/delivery/planned-title',
    'src/model/question/question-words',
    'src/model/session/go-on-offers',
    'src/model/time/clock-time',
  ],
  installers: ['src/runtime', 'src/model', 'src/lib', 'src/agents/index'],
  'src/daemon': [
    'src/ipc',
    'src/runtime',
    'src/model',
    'src/lib',
    'src/agents',
    'src/channels',
    'src/api',
    'src/redaction',
    'src/pipeline',
    'src/dispatch',
    'src/decisions',
    'src/store',
    'src/sources',
    'src/ingest',
    'src/answering',
    'src/enrichment',
    'src/files',
    'src/delivery',
    'src/http',
    'src/peer',
    'src/presence',
    'src/place',
    'src/config',
    'src/sandbox',
    'installers',
  ],
  'src/cli': [
    'src/daemon',
    'src/decisions',
    'src/http',
    'src/config',
    'src/ipc',
    'src/runtime',
    'src/model',
    'src/lib',
    'src/peer',
    'src/files',
    'src/store',
    'src/channels/index',
    'src/agents/index',
    'src/place/index',
    'src/api',
    'src/sandbox',
    'installers',
  ],
};

/** Modules whose entries never import each other: only index.ts imports them. A subfolder belongs to the entry of its name; `shared` is open to all of them. */
export const REGISTRIES: readonly string[] = ['src/agents', 'src/channels', 'src/sources/watches'];

/** Modules whose inner folders import each other in one direction only; files beside these count as one folder. */
export const ONE_WAY: readonly string[] = ['src/answering', 'src/daemon', 'src/sources'];

/** Folders that only these modules may import besides themselves: what they load is nothing for a laptop. */
export const ONLY_FOR: Readonly<Record<string, readonly string[]>> = { 'src/store/postgres': ['src/hub'] };

/** Modules that import no package at all. */
export const NO_PACKAGES: readonly string[] = ['src/runtime', 'src/ipc', 'hooks'];

/** Packages the pure modules may use. */
export const PURE_PACKAGES: Readonly<Record<string, readonly string[]>> = { 'src/model': ['zod'], 'src/pipeline': [] };

/** Node built-ins the pipeline may not touch: I/O, timers, clocks. */
export const IMPURE: readonly string[] = [
  'fs',
  'net',
  'http',
  'https',
  'dns',
  'child_process',
  'timers',
  'os',
  'worker_threads',
  'dgram',
];
