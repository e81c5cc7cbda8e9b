// The chat that messages go to, followed when its group becomes a supergroup.
import type { ChannelTools } from '../../model/channel/channel.ts';
import type { CallBounds } from '../shared/call-bounds.ts';
import { type Called, callTelegram } from './api.ts';
import type { TelegramSettings } from './settings.ts';

export interface Chat {
  /** Where it is now. */
  readonly id: () => TelegramSettings['chat'];
  /** One call to it, repeated once where the chat has moved. */
  readonly call: (method: string, params: object, bounds: CallBounds) => Promise<Called>;
}

/** The one of the settings. */
export function createChat(settings: TelegramSettings, { log }: Pick<ChannelTools, 'log'>): Chat {
  let chat = settings.chat;
  return {
    id: () => chat,
    call: async (method, params, bounds) => {
      const called = await callTelegram(settings, method, { chat_id: chat, ...params }, bounds);
      if (called.ok || called.movedTo === null || called.movedTo === chat) return called;
      chat = called.movedTo;
      log('telegram: the group has become a supergroup; set `chat` to its new number', { chat });
      return callTelegram(settings, method, { ...params, chat_id: chat }, bounds);
    },
  };
}
