// iTerm2 and Terminal of macOS: selects the tab by the terminal device of the session, and brings its window to the front.
import { definePlace, done, failed, type PlaceKind } from './place-kind.ts';
import { terminalDevice } from './processes.ts';

const ITERM = `on run argv
  if application "iTerm2" is not running then return "gone"
  tell application "iTerm2"
    repeat with aWindow in windows
      repeat with aTab in tabs of aWindow
        repeat with aSession in sessions of aTab
          if tty of aSession is (item 1 of argv) then
            select aWindow
            select aTab
            select aSession
            activate
            return "done"
          end if
        end repeat
      end repeat
    end repeat
  end tell
  return "gone"
end run`;

const TERMINAL = `on run argv
  if application "Terminal" is not running then return "gone"
  tell application "Terminal"
    repeat with aWindow in windows
      repeat with aTab in tabs of aWindow
        if tty of aTab is (item 1 of argv) then
          set selected of aTab to true
          set frontmost of aWindow to true
          activate
          return "done"
        end if
      end repeat
    end repeat
  end tell
  return "gone"
end run`;

/** `program`: what TERM_PROGRAM calls it. */
const appleTerminal = (name: string, program: string, application: string, script: string): PlaceKind =>
  definePlace({
    name,
    level: 'terminal',
    applies: ({ env }, platform) => platform === 'darwin' && env['TERM_PROGRAM'] === program,
    focus: async ({ viewer }, { run }) => {
      const device = await terminalDevice(viewer.pid, run);
      if (device === null) return { steps: [failed('pane', 'the terminal of the session is not known')] };
      const said = await run('/usr/bin/osascript', ['-e', script, device]);
      if (said === null)
        return {
          steps: [failed('pane', `${application} may not be controlled: allow it in Privacy & Security > Automation`)],
        };
      if (said.trim() !== 'done') return { steps: [failed('pane', `${application} has no tab on ${device}`)] };
      return {
        steps: [
          done('pane', `the tab of ${application} on ${device} is selected`),
          done('window', `the window of ${application} is in front`),
        ],
      };
    },
    ability: async () => ({ what: 'pane', able: true, text: application }),
  });

export const iterm = appleTerminal('iterm', 'iTerm.app', 'iTerm2', ITERM);
export const appleTerminalApp = appleTerminal('apple-terminal', 'Apple_Terminal', 'Terminal', TERMINAL);
