/** `2026-10-28 07:37 UTC`, with the exact moment for machines. */
export function moment(iso: string): HTMLTimeElement {
  const time = document.createElement('time')
  time.dateTime = iso
  // Without an offset the service means UTC, and a browser its own zone.
  const date = new Date(/T[\d:.]+$/.test(iso) ? `${iso}Z` : iso)
  time.textContent = Number.isNaN(date.getTime()) ? iso : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return time
}

/** `23 h 59 min`, `6 min 42 s`, `850 ms`: the two largest units. */
export function duration(milliseconds: number): string {
  if (milliseconds <= 0) return '0 s'
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  const seconds = Math.round(milliseconds / 1000)
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const
  const first = parts.findIndex(([amount]) => amount > 0)
  return parts
    .slice(first, first + 2)
    .filter(([amount]) => amount > 0)
    .map(([amount, unit]) => `${amount} ${unit}`)
    .join(' ')
}

export const counted = (count: number, singular: string, plural = `${singular}s`): string =>
  `${count} ${count === 1 ? singular : plural}`
