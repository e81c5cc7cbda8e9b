// Scenarios with the real client.
import { copilot } from '../real/copilot.ts';
import { testScenarios } from './run.ts';

testScenarios(copilot);
