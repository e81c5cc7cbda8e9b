// A moment as people name it, for what would happen then; empty: now.

interface MomentFieldProps {
  readonly moment: string;
  readonly name: (moment: string) => void;
}

export function MomentField({ moment, name }: MomentFieldProps) {
  return (
    <label class="field">
      <span>When (optional)</span>
      <input
        placeholder="now, 23:30 or sat 03:00"
        maxLength={40}
        value={moment}
        onInput={(event) => name(event.currentTarget.value)}
      />
    </label>
  );
}

/** What a request says of it: nothing for now. */
export const atMoment = (moment: string): { readonly at?: string } =>
  moment.trim() === '' ? {} : { at: moment.trim() };
