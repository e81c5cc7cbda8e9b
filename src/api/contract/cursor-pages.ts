// Lists whose answer says in `pagination` how they go on.
import * as z from 'zod';
import type { Paging } from './endpoint.ts';
import { loose, maybe } from './fields.ts';

/** A field of such an answer. */
export const pagination = maybe(loose({ hasMore: maybe(z.boolean()), nextCursor: maybe(z.string()) }));

const answer = loose({ pagination });

/** Page after page by the cursor; `key`: the field that identifies a row. */
export const cursorPages = (key: string) =>
  ({
    parameter: 'cursor',
    next: (page) => {
      const { pagination: at } = answer.parse(page);
      return at?.hasMore === false ? null : (at?.nextCursor ?? null);
    },
    more: (page) => answer.parse(page).pagination?.hasMore ?? null,
    key,
  }) satisfies Paging;
