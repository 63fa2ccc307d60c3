/** Closes a Vitest run with one plain line, as .ci/run prints it: "N passed, N failed". */
export default class Summary {
  onTestRunEnd(modules, errors) {
    const count = { passed: 0, failed: errors.length, skipped: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        count[test.result().state] += 1;
      }
      for (const suite of [module, ...module.children.allSuites()]) {
        count.failed += suite.errors().length;
      }
    }
    const skipped = count.skipped ? `, ${count.skipped} skipped` : "";
    console.log(`${count.passed} passed, ${count.failed} failed${skipped}`);
  }
}
