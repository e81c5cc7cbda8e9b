// All recorded days and courses: everybody is told what they were told before.
import '../oracle/courses.test.ts';
import '../oracle/days.test.ts';
import '../oracle/outage-days.test.ts';
