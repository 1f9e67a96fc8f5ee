/** This many integers, one after the other. */
export const range = (count: number, from = 1): number[] =>
  Array.from({ length: count }, (_, index) => from + index)
