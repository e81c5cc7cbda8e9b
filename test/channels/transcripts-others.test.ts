// What people see of each channel, as test/fixtures/transcripts/ holds it: everything else.
import { testTranscripts } from '../support/channel-transcripts.ts';

testTranscripts('others');
