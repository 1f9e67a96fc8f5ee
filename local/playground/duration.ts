/** `23 h 59 min`, `6 min 42 s`, `850 ms`: the two largest units. */
export function duration(milliseconds: number): string {
  const rounded = Math.ceil(milliseconds)
  if (rounded > 0 && rounded < 1000) return `${rounded} ms`
  const seconds = Math.round(Math.max(milliseconds, 0) / 1000)
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  const days = Math.floor(hours / 24)
  const parts = [`${days} d`, `${hours % 24} h`, `${minutes % 60} min`, `${seconds % 60} s`]
  const isSome = (part: string) => !part.startsWith('0 ')
  const first = parts.findIndex(isSome)
  const largest = parts.slice(first, first + 2)
  return largest.filter(isSome).join(' ') || '0 s'
}

export const timeLeft = (milliseconds: number): string =>
  milliseconds > 0 ? `expires in ${duration(milliseconds)}` : 'has expired'
