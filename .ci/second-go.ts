// Names every test that passed only at its second go: a landing is not stopped by one, and none goes unnoticed.
import type { Reporter, TestCase } from 'vitest/node';

export default class SecondGo implements Reporter {
  readonly #unsteady: string[] = [];

  onTestCaseResult(test: TestCase): void {
    const diagnostic = test.diagnostic();
    if (diagnostic?.flaky) this.#unsteady.push(`${test.module.relativeModuleId} > ${test.fullName}`);
  }

  onTestRunEnd(): void {
    for (const name of this.#unsteady) console.log(`UNSTEADY, passed at the second go: ${name}`);
  }
}
