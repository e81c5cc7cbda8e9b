// Hostile text against every regular expression that meets input: all texts that are made from each, where `npm test` tries six.
import '../redaction/budget.test.ts';
