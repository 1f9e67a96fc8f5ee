import { randomBytes } from 'node:crypto'

/** An item names the change that made it by its version: a random text, new with every change that is applied. */
export const newVersion = (): string => randomBytes(12).toString('base64url')
