// Scenarios with the real client.
import { gemini } from '../real/gemini.ts';
import { testScenarios } from './run.ts';

testScenarios(gemini);
