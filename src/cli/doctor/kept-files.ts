// Doctor: files beside the journal: copies of it, the hook's debug log.
import { keptFiles } from '../../daemon/journal/kept-files.ts';
import { defineCheck, ok, warn } from './check.ts';

export const kept = defineCheck({
  name: 'kept files',
  inspects: 'copies of the journal (a damaged one, one before an upgrade) and the debug log of the hook',
  fixes: [['there are some', 'none needed: `[retention]` removes them; or delete the files shown']],
  run: async ({ paths }) => {
    const files = keptFiles(paths).filter(({ what }) => what !== 'created sessions');
    if (files.length === 0) return [ok('no copies, no debug log')];
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    const since = new Date(Math.min(...files.map(({ at }) => at))).toISOString().slice(0, 10);
    const whats = [...new Set(files.map(({ what }) => what))].join(' and ');
    return [
      warn(
        `since ${since}: ${whats}, ${files.length} ${files.length === 1 ? 'file' : 'files'}, ${(bytes / 1e6).toFixed(1)} MB`,
        `\`[retention]\` removes them; to delete them now: \`rm ${files.map(({ path }) => `'${path}'`).join(' ')}\``,
      ),
    ];
  },
});
