/** @param part from 0 to 1 */
export const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] as number

export const median = (values: readonly number[]): number => quantile(values, 0.5)
