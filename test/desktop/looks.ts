// How notifications look in the pictures of docs/pictures/, and when they are drawn.
import type { VirtualDesktop } from '../support/virtual-desktop.ts';
import { until } from '../support/wait.ts';

/** Settings of the notification server. */
export const LOOKS = `[global]
show_indicators = false
width = 760
height = 300
offset = 16x16
origin = top-left
font = DejaVu Sans 15
padding = 16
horizontal_padding = 20
frame_width = 1
corner_radius = 8
line_height = 4
icon_position = off
format = "<b>%s</b>\\n%b"
[urgency_normal]
format = "<b>%s</b>\\n<span foreground='#c3c9d5'>%b</span>"
background = "#232834"
foreground = "#f3f5f9"
frame_color = "#4b5468"
timeout = 0
`;

/** Arguments that make a screenshot small. */
export const COLOURS = ['-strip', '+dither', '-colors', '64', '-define', 'png:compression-level=9'];
/** The path of a picture. */
export const docs = (name: string): string => new URL(`../../docs/pictures/${name}.png`, import.meta.url).pathname;

/** So many are on the screen, and drawn. */
export async function drawn(screen: VirtualDesktop, count: number): Promise<void> {
  await until(async () => (await screen.displayed()) === count, `${count} on the screen`, 30_000);
  await new Promise((resolve) => setTimeout(resolve, 500)); // nothing says when it is drawn
}
