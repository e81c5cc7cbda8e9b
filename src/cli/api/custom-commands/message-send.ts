// `sessions send ID`: posts a message with images and files; of a file only its base name leaves the machine.
import { entries } from '../../../api/contract/contract.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import { readAttachment } from './attachment.ts';
import { type CallFlags, callOptions, connect } from '../connect.ts';
import { assertInput } from '../endpoint.ts';
import { show } from '../output/show-answer.ts';
import type { CustomCommand } from './custom-command.ts';

interface Options extends CallFlags {
  readonly text?: string;
  readonly image?: readonly string[];
  readonly file?: readonly string[];
  readonly computerId?: string;
}

const several = (value: string, before: readonly string[] = []): string[] => [...before, value];

export const sendMessage: CustomCommand = {
  resource: 'sessions',
  name: 'send',
  define: (leaf, io) => {
    leaf
      .argument('<ID>')
      .option('--text <TEXT>', 'the message')
      .option('--image <FILE>', 'an image to attach; may be given several times', several)
      .option('--file <FILE>', 'a PDF or text file to attach; may be given several times', several)
      .option('--computer-id <VALUE>', 'a computer other than the session’s own');
    callOptions(leaf);
    leaf.action(async (sessionId: string, options: Options) => {
      const entry = entries.find((one) => one.resource === sendMessage.resource && one.method === sendMessage.name);
      if (!entry) throw new Error('the contract has no endpoint for this command');
      if (options.text === undefined || options.text.trim() === '') {
        const what = options.text === undefined ? 'missing' : 'empty';
        throw new UserError(`--text is ${what}: give the message to send; nothing was sent`, EXIT.usage);
      }
      const images = await Promise.all((options.image ?? []).map((path) => readAttachment(path, 'image')));
      const files = await Promise.all((options.file ?? []).map((path) => readAttachment(path, 'file')));
      const input = {
        sessionId,
        text: options.text,
        ...(images.length > 0
          ? { images: images.map(({ mediaType, data }) => ({ type: 'base64', data, mediaType })) }
          : {}),
        ...(files.length > 0
          ? {
              files: files.map(({ mediaType, data, text, name }) => ({
                type: 'base64',
                mediaType,
                data,
                parsedData: text ?? '',
                name,
                path: name,
              })),
            }
          : {}),
        ...(options.computerId === undefined ? {} : { computerId: options.computerId }),
      };
      assertInput(entry, input);
      const answer = await (await connect(io, options, entry))(input);
      show(io, entry.endpoint, answer, { csv: false, raw: false });
    });
  },
};
