// Scenarios with the real client.
import { qwen } from '../real/qwen.ts';
import { testScenarios } from './run.ts';

testScenarios(qwen);
