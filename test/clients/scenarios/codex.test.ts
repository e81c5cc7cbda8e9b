// Scenarios with the real client.
import { codex } from '../real/codex.ts';
import { testScenarios } from './run.ts';

testScenarios(codex);
