// The seven real clients.
import { claude } from './claude.ts';
import type { ScenarioClient } from './client.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { droid } from './droid.ts';
import { gemini } from './gemini.ts';
import { opencode } from './opencode.ts';
import { qwen } from './qwen.ts';

export const SCENARIO_CLIENTS: readonly ScenarioClient[] = [claude, droid, codex, gemini, qwen, copilot, opencode];
