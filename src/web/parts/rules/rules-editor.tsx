// The rules as text and as a form, and what the last days would have been under them, before they are saved.
import { useEffect, useRef } from 'preact/hooks';
import { call } from '../../api/access.ts';
import { useLive } from '../../api/live.ts';
import {
  days,
  dropRules,
  isChanged,
  isOutdated,
  isTrying,
  rebaseRules,
  rulesText,
  saveRules,
  storedRules,
  takeStored,
  triedRules,
  tryLater,
  typeRules,
} from '../../store/rules-draft.ts';
import { ActButton } from '../act-button.tsx';
import { Shown } from '../reading/read-state.tsx';
import { WithCode } from '../reading/with-code.tsx';
import { RouteForm } from './route-form.tsx';
import { RulesOutcome, RulesVerdict } from './rules-outcome.tsx';
import { Options } from '../options.tsx';

export function RulesEditor() {
  const live = useLive('rules text', ['settings'], (signal) => call('rules.text', {}, signal));
  const { value } = live;
  useEffect(() => {
    if (value !== undefined) takeStored(value);
  }, [value]);
  return <Shown of={live}>{() => <Editing />}</Shown>;
}

function Editing() {
  const field = useRef<HTMLTextAreaElement>(null);
  const stored = storedRules.value;
  if (stored === null) return null;
  if (stored.text === null)
    return (
      <p class="problem" role="alert">
        <WithCode text={stored.errors.map(({ message }) => message).join(' ')} />
      </p>
    );
  const goToLine = (line: number): void => {
    const { current } = field;
    if (current === null) return;
    const [from, to] = lineSpan(current.value, line);
    current.focus();
    current.setSelectionRange(from, to);
    current.scrollTop = Math.max(0, (line - 4) * LINE_HEIGHT);
  };
  const hasErrors = (triedRules.value?.result.errors.length ?? 0) > 0;
  return (
    <div class="rules-editor">
      <div>
        <p class="note">
          {stored.own ? (
            'Routes, quiet hours and wording of '
          ) : (
            <>
              The default routes are in force: to write your own, add a channel with <code>belfry channel add</code>{' '}
              first. Quiet hours and wording go into{' '}
            </>
          )}
          {stored.file}, as they are written there. All else in that file, and every comment, stays as it is.
        </p>
        <RouteForm channels={stored.channels} />
        <label class="field">
          <span>Rules, as TOML</span>
          <textarea
            ref={field}
            class="code"
            rows={Math.min(28, Math.max(12, rulesText.value.split('\n').length + 1))}
            spellcheck={false}
            autocapitalize="off"
            autocomplete="off"
            aria-invalid={hasErrors}
            value={rulesText.value}
            onInput={(event) => typeRules(event.currentTarget.value)}
          />
        </label>
        {isOutdated.value ? <Outdated /> : null}
        <div class="head form">
          <DaysChoice />
        </div>
      </div>
      <RulesOutcome goToLine={goToLine} />
      <div class="rules-save">
        <RulesVerdict />
        <div class="buttons">
          <ActButton
            kind="primary"
            disabled={!isChanged.value || hasErrors || isTrying.value || isOutdated.value}
            act={async () => {
              const { problem } = await saveRules();
              if (problem !== null) throw new Error(`Saved, but not in force: ${problem}`);
              return 'Saved, and in force';
            }}
          >
            Save
          </ActButton>
          <button type="button" disabled={!isChanged.value} onClick={dropRules}>
            Drop the change
          </button>
        </div>
      </div>
    </div>
  );
}

/** Of the text field, px: as its style has it. */
const LINE_HEIGHT = 18;

function lineSpan(text: string, line: number): readonly [from: number, to: number] {
  const before = text.split('\n').slice(0, line - 1);
  const from = before.reduce((sum, one) => sum + one.length + 1, 0);
  const end = text.indexOf('\n', from);
  return [from, end < 0 ? text.length : end];
}

function Outdated() {
  return (
    <div class="card block" role="alert">
      <p class="bad-words">config.toml was changed meanwhile.</p>
      <div class="head form">
        <button type="button" onClick={dropRules}>
          Show what it says now
        </button>
        <button type="button" onClick={rebaseRules}>
          Keep my text, to replace it
        </button>
      </div>
    </div>
  );
}

const SPANS = [
  ['1', 'day'],
  ['7', '7 days'],
  ['14', '14 days'],
  ['30', '30 days'],
] as const;

function DaysChoice() {
  return (
    <label class="field">
      <span>Try it over the last</span>
      <select
        value={String(days.value)}
        onChange={(event) => {
          days.value = Number(event.currentTarget.value);
          if (isChanged.value) tryLater(0);
        }}
      >
        <Options of={SPANS} />
      </select>
    </label>
  );
}
