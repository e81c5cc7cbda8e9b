// Scenarios with the real client.
import { droid } from '../real/droid.ts';
import { testScenarios } from './run.ts';

testScenarios(droid);
