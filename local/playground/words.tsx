import type { ComponentChildren } from 'preact'

/** `2026-10-28 07:37 UTC`, with the exact moment for machines. */
export function Moment({ iso }: { iso: string }) {
  // Without an offset the service means UTC, and a browser its own zone.
  const date = new Date(/T[\d:.]+$/.test(iso) ? `${iso}Z` : iso)
  const text = Number.isNaN(date.getTime())
    ? iso
    : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return <time dateTime={iso}>{text}</time>
}

export const item = (content: ComponentChildren, key: string | number) => (
  <li key={key} children={content} />
)

/** `23 h 59 min`, `6 min 42 s`, `850 ms`: the two largest units. */
export function duration(milliseconds: number): string {
  if (milliseconds > 0 && milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  const seconds = Math.round(Math.max(milliseconds, 0) / 1000)
  const [days = 0, hours = 0, minutes = 0] = [86_400, 3600, 60].map((unit) =>
    Math.floor(seconds / unit),
  )
  const parts = [`${days} d`, `${hours % 24} h`, `${minutes % 60} min`, `${seconds % 60} s`]
  const isThere = (part: string) => !part.startsWith('0 ')
  const first = parts.findIndex(isThere)
  const largest = parts.slice(first, first + 2)
  return largest.filter(isThere).join(' ') || '0 s'
}
