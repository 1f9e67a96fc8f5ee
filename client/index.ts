export * from './browser.ts'
export { type SessionServer, serveSessions } from './frame.ts'
export * from './server.ts'
export * from './verify.ts'
