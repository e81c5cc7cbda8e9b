// All recorded days: everybody is told what they were told before.
import '../oracle/days.test.ts';
