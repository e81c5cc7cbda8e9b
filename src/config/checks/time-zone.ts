// Names of time zones, and what somebody meant who wrote another.
import { nearest } from '../../lib/text/did-you-mean.ts';

/** What is wrong with a name, as the end of a sentence; null when there is such a zone. */
export function zoneFault(name: string): string | null {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return null;
  } catch {
    // A RangeError: no such zone.
  }
  const zones = Intl.supportedValuesOf('timeZone');
  const city = (zone: string): string => zone.slice(zone.lastIndexOf('/') + 1);
  const cities = zones.map(city);
  const written = city(name).replaceAll(' ', '_');
  const near = nearest(name, zones) ?? zones[cities.indexOf(nearest(written, cities) ?? '')];
  return `no time zone "${name}"${near === undefined ? '; write one such as "Europe/Berlin"' : `; did you mean "${near}"?`}`;
}
