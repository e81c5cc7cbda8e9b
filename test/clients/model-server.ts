// A local model service: answers every request with one text, streamed or whole.
import { createServer } from 'node:http';
import { listen } from './listen.ts';
import { modelHandler } from './model/handler.ts';

export interface ModelServer {
  readonly url: string;
  /** Requests for an answer so far. */
  readonly asked: number;
  /** Answers with the text, refuses the key, or says nothing at all. */
  behaviour: 'answer' | 'refuse' | 'hang';
}

/** Starts the server on a free loopback port; closed when the running test has finished. */
export async function startModelServer(text: string): Promise<ModelServer> {
  const model: { -readonly [K in keyof ModelServer]: ModelServer[K] } = { url: '', asked: 0, behaviour: 'answer' };
  const server = createServer(
    modelHandler(() => {
      model.asked++;
      return model.behaviour === 'answer' ? { text } : model.behaviour;
    }),
  );
  model.url = await listen(server);
  return model;
}
