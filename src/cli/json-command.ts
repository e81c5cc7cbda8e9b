// A command of the command line: it and everything below it takes `--json`, and says so in its help.
import { Command } from 'commander';

/** commander makes those below a command with `createCommand`. */
export class JsonCommand extends Command {
  constructor(name?: string) {
    super(name);
    this.option('--json', 'machine output, stable field names');
  }

  override createCommand(name?: string): JsonCommand {
    return new JsonCommand(name);
  }
}
