// A local model service that uses tools: what the user's latest words ask for, then one text.
import { createServer } from 'node:http';
import { listen } from './listen.ts';
import type { Failure } from './model/failures.ts';
import { modelHandler } from './model/handler.ts';
import type { WantedTool } from './model/protocol.ts';

/** `prompts`: the latest words of each request that has tools, as the model reads them. */
export interface ToolModel {
  readonly url: string;
  readonly prompts: string[];
  /** How it fails for now. */
  failure: Failure | null;
  /** Requests that have tools and that it has failed for that. */
  readonly refused: number;
}

/** `choose`: the tool for what the user said; null: a text. Closed when the running test has finished. */
export async function startToolModel(choose: (text: string) => WantedTool | null): Promise<ToolModel> {
  const prompts: string[] = [];
  const model: ToolModel & { url: string; refused: number } = { url: '', prompts, failure: null, refused: 0 };
  const server = createServer(
    modelHandler(({ tools, all, said }) => {
      if (model.failure !== null) {
        if (tools.length > 0) model.refused++;
        return model.failure;
      }
      if (tools.length > 0) prompts.push(all);
      const tool = tools.length > 0 ? choose(said) : null;
      return tool === null ? { text: 'That is done.' } : { tool };
    }),
  );
  model.url = await listen(server);
  return model;
}
