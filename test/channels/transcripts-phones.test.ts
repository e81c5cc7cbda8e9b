// What people see of each channel, as test/fixtures/transcripts/ holds it: phones and mailboxes.
import { testTranscripts } from '../support/channel-transcripts.ts';

testTranscripts('phones');
