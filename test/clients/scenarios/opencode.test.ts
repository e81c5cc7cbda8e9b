// Scenarios with the real client.
import { opencode } from '../real/opencode.ts';
import { testScenarios } from './run.ts';

testScenarios(opencode);
