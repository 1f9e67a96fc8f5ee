/** What the simulation found: something that must not happen. */
export class Broken extends Error {
  override readonly name = 'Broken'
}
