// Scenarios with the real client.
import { claude } from '../real/claude.ts';
import { testScenarios } from './run.ts';

testScenarios(claude);
