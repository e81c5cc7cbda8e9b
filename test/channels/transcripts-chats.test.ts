// What people see of each channel, as test/fixtures/transcripts/ holds it: chats.
import { testTranscripts } from '../support/channel-transcripts.ts';

testTranscripts('chats');
