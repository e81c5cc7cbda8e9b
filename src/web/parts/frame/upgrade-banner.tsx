// Says that Belfry is another version than the one that this tab was loaded from.
import { upgraded } from '../../api/stream.ts';

export function UpgradeBanner() {
  return (
    <div role="status">
      {upgraded.value ? (
        <p class="banner">
          Belfry was upgraded.{' '}
          <button type="button" onClick={() => location.reload()}>
            Load the page again
          </button>
        </p>
      ) : null}
    </div>
  );
}
