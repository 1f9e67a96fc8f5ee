// Made by `npm run openapi` from docs/openapi.json.

export interface paths {
    readonly "/api/v1/deployments/{deploymentId}/embed-tenants/{embedTenantName}/workbooks": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List workbooks that an embed tenant can access
         * @description For admins. Every workbook that end users of the embed tenant can see, each once, whichever of the three sources grants it: a share with the tenant, a share with all embed users, or a shared folder above it at any depth. The order is fixed; items that come and go between two pages make no other item appear twice or vanish.
         */
        readonly get: operations["listEmbedTenantWorkbooks"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/embed/generate-session": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Generate an embed session
         * @description Called by the backend of the host application, with read access to the deployment. Captures who the end user is and what they may see. The session id goes to the browser, which redeems it once, within five minutes, for an embed token. All or nothing: definitions, the embed tenant (created when first named) and the session are written together after every check has passed.
         */
        readonly post: operations["generateSession"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/embed/session/token": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Redeem a session for an embed token
         * @description Called by the browser: the session id is the credential. Works once: of any number of simultaneous requests exactly one gets the token. An id that is unknown, expired, revoked or already redeemed is 401, all four in the same words. Pages of configured origins may call it (CORS).
         */
        readonly post: operations["exchangeSession"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/embed/session/revoke": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Revoke a session and its token
         * @description For admins. A session not yet redeemed cannot be any more; a token already issued for it is refused from then on. The answer is the same for ids that are unknown.
         */
        readonly post: operations["revokeSession"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/deployments/{deploymentId}/dbt-sync": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List dbt syncs of a deployment
         * @description Newest start first, then by `syncJobId`. Needs read access to the deployment.
         */
        readonly get: operations["listDbtSyncs"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/deployments/{deploymentId}/notifications": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List scheduled notifications of a deployment
         * @description Newest first, then by descending `id`. Needs read access to the deployment. Items describe the schedule alone. At most one identifier of a dashboard and one of a recipient; both together combine with AND. A dashboard, user or embed user that does not exist gives an empty page.
         */
        readonly get: operations["listNotifications"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/.well-known/jwks.json": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Keys that verify embed tokens
         * @description A JSON Web Key Set (RFC 7517). The next signing key is published before it signs, the last one until all its tokens have ended. Verifiers look a key up by the `kid` of the token and may keep the set for as long as `Cache-Control` says.
         */
        readonly get: operations["getKeySet"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/spec": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * This document
         * @description The OpenAPI 3.1 document of the service, as JSON.
         */
        readonly get: operations["getSpec"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/docs/errors": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * What each error code means
         * @description A page for people: cause and remedy of each code. The `type` of every problem points into it.
         */
        readonly get: operations["getErrorReference"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        readonly GenerateSession: {
            /** @description The deployment the session is for. The caller needs read access to it. */
            readonly deploymentId: number;
            /** @description Lets the end user create content. Needed as `true` for tenant groups and their definitions. */
            readonly creatorMode?: boolean | null;
            /** @description The e-mail address of the end user. */
            readonly email?: string | null;
            /** @description Names the end user at the host; trimmed and lower-cased. Not together with `internalId`; with neither of them the session is anonymous. */
            readonly externalId?: string | null;
            /** @description An existing user of the account, by name or e-mail address; that user's own permissions count. For another user than the caller, the caller must be an admin. */
            readonly internalId?: string | null;
            /** @description The embed tenant, created when first named: 2 to 36 lower-case letters, digits or hyphens. */
            readonly embedTenantName?: string | null;
            /** @description Needs `embedTenantName`; its display name becomes the tenant’s. */
            readonly embedTenantProfile?: {
                readonly displayName?: string | null;
            } | null;
            /** @description How the end user is shown. */
            readonly userProfile?: {
                readonly displayName?: string | null;
                readonly picture?: string | null;
            } | null;
            /** @description Colours and font of the embedded pages. */
            readonly embedTheme?: {
                readonly analyticsChat?: {
                    readonly backgroundColor?: string | null;
                    readonly chatInput?: {
                        readonly backgroundColor?: string | null;
                        readonly borderColor?: string | null;
                    } | null;
                } | null;
                readonly chat?: {
                    readonly inputColor?: string | null;
                } | null;
                readonly font?: string | null;
                readonly primaryColor?: string | null;
            } | null;
            /** @description Global groups of the account, which must exist. Each comes unchanged into `securityContext.platformCloud.groups` of the token. */
            readonly groups?: readonly string[] | null;
            /** @description Groups of the embed tenant. They need `creatorMode: true` and `embedTenantName`, and come into the token as `system:tenant:{embedTenantName}:group:{group}`. */
            readonly tenantGroups?: readonly string[] | null;
            /** @description Creates or updates groups of the embed tenant before they are assigned. Names must not repeat. */
            readonly tenantGroupDefinitions?: readonly {
                readonly name: string;
                readonly description?: string | null;
            }[] | null;
            /**
             * @deprecated
             * @description Accepted for existing clients and without effect. Its use is answered with a `Deprecation` header.
             */
            readonly groupDefinitions?: readonly {
                readonly name: string;
                readonly description?: string | null;
            }[] | null;
            /** @description Attributes of the end user; names must not repeat. Defaults of stored definitions fill those left out. */
            readonly userAttributes?: readonly {
                readonly name: string;
                readonly value: string | number | boolean | readonly string[] | readonly number[];
            }[] | null;
            /** @description Creates or updates definitions of attributes, of the embed tenant when it is named, else of the account. Names must not repeat. */
            readonly userAttributeDefinitions?: readonly {
                readonly name: string;
                readonly defaultValue?: string | null;
                readonly description?: string | null;
                readonly displayName?: string | null;
            }[] | null;
            /** @description Goes into the token for access policies to read. At most 65,536 bytes as JSON, nested at most 64 deep, and without `platformCloud`, which is ours. */
            readonly securityContext?: {
                readonly [key: string]: unknown;
            } | null;
            /** @description Travel in the token. They never give anybody a role on this platform. */
            readonly roles?: readonly string[] | null;
            /** @description The public id of the dashboard to show. */
            readonly publicDashboardId?: string | null;
            /** @description Travels in the token. */
            readonly isEphemeral?: boolean | null;
            /** @description Overrides for this session alone; keys left out keep their defaults. */
            readonly settings?: {
                readonly allowAi?: boolean | null;
                readonly allowChatWorkspaceAuthoring?: boolean | null;
                readonly showAiWidgets?: boolean | null;
                readonly showDashboardChat?: boolean | null;
                readonly showDashboardSettings?: boolean | null;
                readonly showGroupByModel?: boolean | null;
                readonly showMemberNames?: boolean | null;
                readonly showWorkbookChat?: boolean | null;
                readonly showWorkbookShare?: boolean | null;
                readonly locale?: string | null;
                readonly timezone?: string | null;
            } | null;
        };
        readonly PageInfo: {
            /** @description Whether there are items behind this page. */
            readonly hasNextPage: boolean;
            /** @description Whether there is an item before this page, for one that was reached by a cursor. */
            readonly hasPreviousPage: boolean;
            /** @description The cursor of the first item; null on an empty page. */
            readonly startCursor?: string | null;
            /** @description The cursor of the last item, for `after`; null on an empty page. */
            readonly endCursor?: string | null;
        };
        readonly Workbook: {
            readonly id: number;
            readonly deploymentId: number;
            readonly name: string;
            readonly meta: {
                readonly [key: string]: unknown;
            };
            readonly calculatedFields: {
                readonly [key: string]: unknown;
            };
            readonly createdAt: string;
            readonly updatedAt: string;
            /**
             * @description The kind of entry.
             * @enum {string}
             */
            readonly type: "FOLDER" | "WORKBOOK" | "REPORT";
            readonly createdBy?: number;
            readonly dashboardDraft?: components["schemas"]["DashboardConfig"] | null;
            readonly dashboardPublished?: components["schemas"]["DashboardConfig"] | null;
            readonly folderId?: number | null;
            /** @description The folders the workbook lies in, root first, by their current names. */
            readonly folderPath?: readonly components["schemas"]["WorkspaceFolderPathEntry"][];
            readonly isFavorite?: boolean | null;
            /** @description The dashboard that is shown to end users. */
            readonly publishedDashboard?: components["schemas"]["Dashboard"] | null;
            readonly slug?: string | null;
            /** @description Who owns the workbook. */
            readonly user?: components["schemas"]["ResourceOwner"] | null;
            readonly userId?: number | null;
        };
        readonly WorkspaceFolderPathEntry: {
            readonly id: number;
            readonly name: string;
        };
        readonly ResourceOwner: {
            readonly id: number;
            readonly email: string;
            readonly firstName?: string | null;
            readonly picture?: string | null;
        };
        readonly Dashboard: {
            readonly id: number;
            /** @description The id by which embeds name the dashboard. */
            readonly publicId: string;
            readonly deploymentId: number;
            readonly workbookId: number;
            /** @enum {string} */
            readonly status: "draft" | "published" | "archived";
            readonly allowEmbed: boolean;
            readonly config: components["schemas"]["DashboardConfig"];
            readonly versionNumber: number;
            readonly versionId: number;
            readonly reportSnapshots: readonly components["schemas"]["ReportSnapshot"][];
            readonly createdBy?: number | null;
            readonly description?: string | null;
            readonly fromSharedWorkspace?: boolean | null;
            readonly restrictDataDownload?: boolean | null;
            readonly title?: string | null;
            readonly useBoardDashboards?: boolean | null;
        };
        readonly DashboardConfig: {
            readonly app?: components["schemas"]["DashboardAppSource"] | null;
            readonly description?: string | null;
            /** @enum {string|null} */
            readonly kind?: "CLASSIC" | "APP" | null;
            readonly layout?: components["schemas"]["DashboardLayout"] | null;
            readonly settings?: {
                readonly [key: string]: unknown;
            } | null;
            readonly theme?: {
                readonly [key: string]: unknown;
            } | null;
            readonly title?: string | null;
            readonly widgets?: readonly components["schemas"]["DashboardWidget"][] | null;
        };
        readonly DashboardAppSource: {
            readonly entry?: string | null;
            readonly files?: {
                readonly [key: string]: string;
            } | null;
            readonly html?: string | null;
            readonly manifest?: components["schemas"]["DashboardAppManifest"] | null;
        };
        readonly DashboardAppManifest: {
            readonly dependencies?: {
                readonly [key: string]: string;
            } | null;
            readonly version?: number | null;
        };
        readonly DashboardLayout: {
            readonly breakpoints?: {
                readonly lg?: number | null;
                readonly md?: number | null;
                readonly sm?: number | null;
                readonly xs?: number | null;
                readonly xxs?: number | null;
            } | null;
            readonly cols?: {
                readonly lg?: number | null;
                readonly md?: number | null;
                readonly sm?: number | null;
                readonly xs?: number | null;
                readonly xxs?: number | null;
            } | null;
            readonly containerPadding?: readonly number[] | null;
            readonly margin?: readonly number[] | null;
            readonly rowHeight?: number | null;
        };
        readonly DashboardWidget: {
            readonly id: string;
            /** @enum {string} */
            readonly type: "CHART" | "TEXT" | "FILTER" | "AI" | "TIME_GRAIN" | "FIELD" | "PARENT" | "SPACER" | "DIVIDER" | "CONTAINER";
            readonly position: components["schemas"]["DashboardWidgetPosition"];
            readonly config?: {
                readonly [key: string]: unknown;
            } | null;
            readonly responsiveLayouts?: {
                readonly lg?: components["schemas"]["DashboardWidgetPosition"] | null;
                readonly md?: components["schemas"]["DashboardWidgetPosition"] | null;
                readonly sm?: components["schemas"]["DashboardWidgetPosition"] | null;
                readonly xs?: components["schemas"]["DashboardWidgetPosition"] | null;
                readonly xxs?: components["schemas"]["DashboardWidgetPosition"] | null;
            };
            readonly style?: {
                readonly [key: string]: unknown;
            } | null;
        };
        readonly DashboardWidgetPosition: {
            readonly x: number;
            readonly y: number;
            readonly w: number;
            readonly h: number;
        };
        readonly ReportSnapshot: {
            readonly id: number;
            readonly reportId: number;
            readonly versionNumber: number;
            readonly description?: string | null;
            readonly fillMissingRows?: components["schemas"]["FillMissingRows"] | null;
            readonly isSourceReport?: boolean | null;
            /** @enum {string|null} */
            readonly kind?: "vega" | "table" | "kpi" | "html" | "map" | "sankey" | null;
            readonly meta?: {
                readonly [key: string]: unknown;
            } | null;
            readonly name?: string | null;
            readonly periodComparisons?: readonly components["schemas"]["PeriodComparison"][] | null;
            readonly preferences?: components["schemas"]["ReportSnapshotPreferences"] | null;
            readonly pythonCode?: string | null;
            readonly spec?: (string | {
                readonly [key: string]: unknown;
            }) | null;
            readonly sqlQuery?: string | null;
            readonly title?: string | null;
        };
        readonly FillMissingRows: {
            readonly member: string;
            readonly excludedDimensions?: readonly string[] | null;
        };
        readonly PeriodComparison: {
            readonly measure: string;
            readonly timeDimension: string;
            readonly offset: {
                readonly amount: number;
                readonly unit: string;
            };
            readonly outputs?: readonly string[] | null;
        };
        readonly ReportSnapshotPreferences: {
            readonly columnFormats?: {
                readonly [key: string]: components["schemas"]["ColumnFormatOverride"] | null;
            } | null;
        };
        readonly ColumnFormatOverride: {
            /** @enum {string} */
            readonly type: "currency" | "percent" | "number";
            readonly decimalPlaces?: number | null;
        };
        readonly DbtSync: {
            readonly syncJobId: string;
            readonly deploymentId: number;
            readonly branchName: string;
            /** @description Where the dbt project came from. */
            readonly source: string;
            readonly startedAt: string;
            /** @enum {string} */
            readonly status: "RUNNING" | "COMPLETED" | "FAILED" | "CANCELLED" | "UNKNOWN";
            /** @enum {string} */
            readonly trigger: "manual" | "api" | "webhook" | "agent" | "unknown";
            readonly completedAt?: string;
            /** @description Milliseconds from start to completion. */
            readonly durationMs?: number;
            readonly errorMessage?: string;
            /** @description The phase in which it failed. */
            readonly failedPhase?: string;
            readonly gitRef?: string;
            /** @description The last stage it came to. */
            readonly lastStage?: string;
            readonly phases?: readonly components["schemas"]["DbtSyncPhase"][];
            readonly stats?: components["schemas"]["DbtSyncStats"];
            /** @description What the trigger said, such as the commit that was pushed. */
            readonly triggerContext?: components["schemas"]["DbtSyncTriggerContext"];
            /** @description Who started it. */
            readonly userId?: number;
        };
        readonly DbtSyncPhase: {
            readonly phase?: string;
            readonly outcome?: string;
            readonly durationMs?: number;
            /** @description Milliseconds from the start of the sync. */
            readonly startedOffsetMs?: number;
        };
        readonly DbtSyncStats: {
            readonly cubeCount?: number;
            readonly dbtVersion?: string;
            readonly generatedFileCount?: number;
            readonly macros?: number;
            readonly manifestGeneratedAt?: string;
            readonly models?: number;
            readonly sources?: number;
        };
        readonly DbtSyncTriggerContext: {
            readonly headSha?: string;
            readonly pushedBranch?: string;
            readonly targetBranch?: string;
        };
        readonly Notification: {
            readonly id: number;
            readonly deploymentId: number;
            readonly dashboardId?: number;
            /** @description When it is sent, in `timezone`. */
            readonly cronExpression?: string;
            readonly humanReadableSchedule?: string;
            readonly timezone?: string;
            /** @description Whether the schedule is active. */
            readonly isEnabled?: boolean;
            readonly notificationEnabled?: boolean;
            readonly notificationAiSummary?: boolean;
            readonly notificationFormat?: string;
            /** @description Filters of the dashboard that are applied before it is sent. */
            readonly filters?: readonly components["schemas"]["NotificationFilter"][];
            readonly memberSwitchers?: readonly {
                readonly member?: string;
                readonly selected?: string;
            }[];
            readonly timeGrains?: readonly {
                readonly grain?: string;
                readonly member?: string;
            }[];
        };
        readonly NotificationFilter: {
            readonly member?: string;
            readonly operator?: string;
            readonly value?: string;
            readonly caseSensitive?: (boolean | number | string) | null;
            readonly endInclusive?: (boolean | number | string) | null;
            readonly startInclusive?: (boolean | number | string) | null;
        };
        readonly GeneratedSession: {
            /** @description A credential: to be redeemed once, within five minutes. Hand it to the end user’s browser only. */
            readonly sessionId: string;
        };
        readonly DryRun: {
            /** @description What the token would say; its `jti` is one that no token will have. */
            readonly claims: components["schemas"]["EmbedTokenClaims"];
            /** @description How long the token would be. */
            readonly tokenBytes: number;
            /** @description The longest token in bytes, and how long a session and a token live, in seconds. */
            readonly limits: {
                readonly maxTokenBytes: number;
                readonly sessionSeconds: number;
                readonly tokenSeconds: number;
            };
        };
        readonly EmbedTokenClaims: {
            readonly iss: string;
            readonly aud: string;
            /** @description The end user, unique within the issuer. */
            readonly sub: string;
            readonly iat: number;
            readonly nbf: number;
            readonly exp: number;
            /** @description Ties session and token together in the audit. */
            readonly jti: string;
            readonly accountId: string;
            readonly deploymentId: number;
            readonly creatorMode?: boolean;
            readonly email?: string;
            readonly externalId?: string;
            readonly internalId?: string;
            readonly embedTenantName?: string;
            readonly embedTenantProfile?: {
                readonly displayName?: string;
            };
            readonly userProfile?: {
                readonly displayName?: string;
                readonly picture?: string;
            };
            readonly embedTheme?: {
                readonly analyticsChat?: {
                    readonly backgroundColor?: string;
                    readonly chatInput?: {
                        readonly backgroundColor?: string;
                        readonly borderColor?: string;
                    };
                };
                readonly chat?: {
                    readonly inputColor?: string;
                };
                readonly font?: string;
                readonly primaryColor?: string;
            };
            readonly groups?: readonly string[];
            readonly tenantGroups?: readonly string[];
            readonly userAttributes?: readonly {
                readonly name: string;
                readonly value: string | number | boolean | readonly string[] | readonly number[];
            }[];
            readonly roles?: readonly string[];
            readonly publicDashboardId?: string;
            readonly isEphemeral?: boolean;
            readonly settings?: {
                readonly allowAi?: boolean;
                readonly allowChatWorkspaceAuthoring?: boolean;
                readonly showAiWidgets?: boolean;
                readonly showDashboardChat?: boolean;
                readonly showDashboardSettings?: boolean;
                readonly showGroupByModel?: boolean;
                readonly showMemberNames?: boolean;
                readonly showWorkbookChat?: boolean;
                readonly showWorkbookShare?: boolean;
                readonly locale?: string;
                readonly timezone?: string;
            };
            /** @description The internal user, for sessions with `internalId`. */
            readonly userId?: number;
            /** @description As given, with `platformCloud.groups` where groups or tenant groups were given. */
            readonly securityContext?: {
                readonly [key: string]: unknown;
            };
        };
        readonly EmbedToken: {
            /** @description The signed JWT. Its claims are those of `EmbedTokenClaims`. */
            readonly token: string;
            /** @description How long it lives from now, in seconds. */
            readonly expiresIn: number;
        };
        readonly KeySet: {
            readonly keys: readonly {
                /** @constant */
                readonly kty: "EC";
                /** @constant */
                readonly crv: "P-256";
                readonly x: string;
                readonly y: string;
                readonly kid: string;
                /** @constant */
                readonly alg: "ES256";
                /** @constant */
                readonly use: "sig";
            }[];
        };
        /** @description An error of ours (RFC 9457). */
        readonly Problem: {
            /**
             * Format: uri
             * @description Where the code is documented.
             */
            readonly type: string;
            /** @description The code in words, the same for every occurrence. */
            readonly title: string;
            /** @description The status of the response. */
            readonly status: number;
            /** @description What is wrong with this request. */
            readonly detail: string;
            /**
             * @description Stable: for programs to tell errors apart by.
             * @enum {string}
             */
            readonly code: "invalid_parameter" | "invalid_cursor" | "invalid_body" | "malformed_json" | "unknown_name" | "context_too_large" | "unauthenticated" | "invalid_session" | "admin_required" | "deployment_forbidden" | "embedding_disabled" | "internal_id_forbidden" | "deployment_not_found" | "embed_tenant_not_found" | "body_too_large" | "unsupported_media_type" | "internal_error" | "issuer_unavailable" | "database_unavailable";
            /** @description The same text as `detail`. */
            readonly message: string;
            /** @description The id of the request. */
            readonly requestId: string;
            /** @description Everything that is wrong with the input, if it is the input that is wrong. */
            readonly errors?: readonly components["schemas"]["InputError"][];
        };
        /** @description One thing that is wrong: with a field of the body, or with a parameter. */
        readonly InputError: {
            /** @description The field, as a JSON pointer (RFC 6901); empty for the body itself. */
            readonly pointer: string;
            readonly message: string;
        } | {
            /** @description The parameter of the path or query. */
            readonly parameter: string;
            readonly message: string;
        };
        /** @description An error that API Gateway writes itself. */
        readonly GatewayError: {
            readonly message: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description The id of the request, by which we find it in our logs.
         * @example a3Fq7XkYiE9LBc0=
         */
        readonly "X-Request-Id": string;
        /**
         * @description Nothing may keep the answer.
         * @example no-store
         */
        readonly "Cache-Control": "no-store";
        /**
         * @description The scheme to authenticate with.
         * @example Bearer
         */
        readonly "WWW-Authenticate": "Bearer";
        /**
         * @description In how many seconds to try again.
         * @example 1
         */
        readonly "Retry-After": string;
        /**
         * @description Since when something that the request uses is deprecated (RFC 9745), as here for `groupDefinitions`.
         * @example @1767225600
         */
        readonly Deprecation: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly listEmbedTenantWorkbooks: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description How many items a page has: 100 unless given, and at most 200; more is served as 200.
                 * @example 50
                 */
                readonly first?: number;
                /** @description The `pageInfo.endCursor` of the previous page of this very list with these very filters. Cursors are opaque. */
                readonly after?: string;
                /** @description Only workbooks that this source grants: `tenant` (shared with the tenant itself), `allEmbedUsers` (shared with all embed users) or `folder` (in a folder, at any depth, that is shared with either). Left out or empty: the union. */
                readonly accessSource?: "tenant" | "allEmbedUsers" | "folder" | null;
            };
            readonly header?: never;
            readonly path: {
                /**
                 * @description The deployment. One of another account is 404, as if it were not there.
                 * @example 1001
                 */
                readonly deploymentId: number;
                /**
                 * @description The embed tenant, compared in lower case. One that no record and no session has named is 404.
                 * @example alder-oak
                 */
                readonly embedTenantName: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of workbooks. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description How long the answer may be kept. */
                    readonly "Cache-Control"?: "no-store";
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly items: readonly components["schemas"]["Workbook"][];
                        readonly pageInfo: components["schemas"]["PageInfo"];
                    };
                };
            };
            /** @description `invalid_parameter` (invalid parameter), `invalid_cursor` (invalid cursor), API Gateway's `Bad Request`. */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 400;
                        /** @enum {unknown} */
                        readonly code?: "invalid_parameter" | "invalid_cursor";
                    };
                    /**
                     * @example {
                     *       "message": "Bad Request"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `unauthenticated` (not authenticated), API Gateway's `Unauthorized`. */
            readonly 401: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 401;
                        /** @enum {unknown} */
                        readonly code?: "unauthenticated";
                    };
                    /**
                     * @example {
                     *       "message": "Unauthorized"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `admin_required` (admin required), `deployment_forbidden` (no access to the deployment), API Gateway's `Forbidden`. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 403;
                        /** @enum {unknown} */
                        readonly code?: "admin_required" | "deployment_forbidden";
                    };
                    /**
                     * @example {
                     *       "message": "Forbidden"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `deployment_not_found` (no such deployment), `embed_tenant_not_found` (no such embed tenant), API Gateway's `Not Found`. */
            readonly 404: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 404;
                        /** @enum {unknown} */
                        readonly code?: "deployment_not_found" | "embed_tenant_not_found";
                    };
                    /**
                     * @example {
                     *       "message": "Not Found"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description API Gateway's `Too Many Requests`. */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Too Many Requests"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description API Gateway's `Request Header Fields Too Large`. */
            readonly 431: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Request Header Fields Too Large"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `internal_error` (internal error), API Gateway's `Internal Server Error`. */
            readonly 500: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 500;
                        /** @enum {unknown} */
                        readonly code?: "internal_error";
                    };
                    /**
                     * @example {
                     *       "message": "Internal Server Error"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `issuer_unavailable` (issuer unavailable), `database_unavailable` (temporarily unavailable), API Gateway's `Service Unavailable`. */
            readonly 503: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 503;
                        /** @enum {unknown} */
                        readonly code?: "issuer_unavailable" | "database_unavailable";
                    };
                    /**
                     * @example {
                     *       "message": "Service Unavailable"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
        };
    };
    readonly generateSession: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description With `true`, everything is checked and nothing is written; the answer is what the token would hold, and its size.
                 * @example false
                 */
                readonly dryRun?: "true" | "false";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description At most 256 KiB. A field may be null, which means the same as leaving it out. An unknown field is refused. At most one of `externalId` and `internalId`; with neither the session is anonymous. With `internalId`, that user's own permissions count, and `groups`, `tenantGroups`, `tenantGroupDefinitions`, `userAttributes`, `userAttributeDefinitions`, `securityContext`, `userProfile` and `roles` are not allowed. */
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["GenerateSession"];
            };
        };
        readonly responses: {
            /** @description The session id; or, with `dryRun=true`, what a session would come to. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description How long the answer may be kept. */
                    readonly "Cache-Control"?: "no-store";
                    readonly Deprecation: components["headers"]["Deprecation"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["GeneratedSession"] | components["schemas"]["DryRun"];
                };
            };
            /** @description `invalid_parameter` (invalid parameter), `malformed_json` (malformed json), `invalid_body` (invalid body), `unknown_name` (unknown name), `context_too_large` (context too large), API Gateway's `Bad Request`. */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 400;
                        /** @enum {unknown} */
                        readonly code?: "invalid_parameter" | "malformed_json" | "invalid_body" | "unknown_name" | "context_too_large";
                    };
                    /**
                     * @example {
                     *       "message": "Bad Request"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `unauthenticated` (not authenticated), API Gateway's `Unauthorized`. */
            readonly 401: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 401;
                        /** @enum {unknown} */
                        readonly code?: "unauthenticated";
                    };
                    /**
                     * @example {
                     *       "message": "Unauthorized"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `deployment_forbidden` (no access to the deployment), `embedding_disabled` (embedding disabled), `internal_id_forbidden` (internal user not permitted), API Gateway's `Forbidden`. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 403;
                        /** @enum {unknown} */
                        readonly code?: "deployment_forbidden" | "embedding_disabled" | "internal_id_forbidden";
                    };
                    /**
                     * @example {
                     *       "message": "Forbidden"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `deployment_not_found` (no such deployment). */
            readonly 404: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 404;
                        /** @enum {unknown} */
                        readonly code?: "deployment_not_found";
                    };
                };
            };
            /** @description `body_too_large` (body too large), API Gateway's `Request Entity Too Large`. */
            readonly 413: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 413;
                        /** @enum {unknown} */
                        readonly code?: "body_too_large";
                    };
                    /**
                     * @example {
                     *       "message": "Request Entity Too Large"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `unsupported_media_type` (unsupported media type). */
            readonly 415: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 415;
                        /** @enum {unknown} */
                        readonly code?: "unsupported_media_type";
                    };
                };
            };
            /** @description API Gateway's `Too Many Requests`. */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Too Many Requests"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description API Gateway's `Request Header Fields Too Large`. */
            readonly 431: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Request Header Fields Too Large"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `internal_error` (internal error), API Gateway's `Internal Server Error`. */
            readonly 500: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 500;
                        /** @enum {unknown} */
                        readonly code?: "internal_error";
                    };
                    /**
                     * @example {
                     *       "message": "Internal Server Error"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `issuer_unavailable` (issuer unavailable), `database_unavailable` (temporarily unavailable), API Gateway's `Service Unavailable`. */
            readonly 503: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 503;
                        /** @enum {unknown} */
                        readonly code?: "issuer_unavailable" | "database_unavailable";
                    };
                    /**
                     * @example {
                     *       "message": "Service Unavailable"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
        };
    };
    readonly exchangeSession: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description The session id. */
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly sessionId: string;
                };
            };
        };
        readonly responses: {
            /** @description The embed token, a JWT signed with ES256, and how long it lives. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description How long the answer may be kept. */
                    readonly "Cache-Control"?: "no-store";
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["EmbedToken"];
                };
            };
            /** @description `malformed_json` (malformed json), `invalid_body` (invalid body), API Gateway's `Bad Request`. */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 400;
                        /** @enum {unknown} */
                        readonly code?: "malformed_json" | "invalid_body";
                    };
                    /**
                     * @example {
                     *       "message": "Bad Request"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `invalid_session` (invalid session). */
            readonly 401: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 401;
                        /** @enum {unknown} */
                        readonly code?: "invalid_session";
                    };
                };
            };
            /** @description `body_too_large` (body too large), API Gateway's `Request Entity Too Large`. */
            readonly 413: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 413;
                        /** @enum {unknown} */
                        readonly code?: "body_too_large";
                    };
                    /**
                     * @example {
                     *       "message": "Request Entity Too Large"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `unsupported_media_type` (unsupported media type). */
            readonly 415: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 415;
                        /** @enum {unknown} */
                        readonly code?: "unsupported_media_type";
                    };
                };
            };
            /** @description API Gateway's `Too Many Requests`. */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Too Many Requests"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description API Gateway's `Request Header Fields Too Large`. */
            readonly 431: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Request Header Fields Too Large"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `internal_error` (internal error), API Gateway's `Internal Server Error`. */
            readonly 500: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 500;
                        /** @enum {unknown} */
                        readonly code?: "internal_error";
                    };
                    /**
                     * @example {
                     *       "message": "Internal Server Error"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `database_unavailable` (temporarily unavailable), API Gateway's `Service Unavailable`. */
            readonly 503: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 503;
                        /** @enum {unknown} */
                        readonly code?: "database_unavailable";
                    };
                    /**
                     * @example {
                     *       "message": "Service Unavailable"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
        };
    };
    readonly revokeSession: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description The session id. */
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly sessionId: string;
                };
            };
        };
        readonly responses: {
            /** @description Revoked, or there was nothing to revoke. */
            readonly 204: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description How long the answer may be kept. */
                    readonly "Cache-Control"?: "no-store";
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `malformed_json` (malformed json), `invalid_body` (invalid body), API Gateway's `Bad Request`. */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 400;
                        /** @enum {unknown} */
                        readonly code?: "malformed_json" | "invalid_body";
                    };
                    /**
                     * @example {
                     *       "message": "Bad Request"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `unauthenticated` (not authenticated), API Gateway's `Unauthorized`. */
            readonly 401: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 401;
                        /** @enum {unknown} */
                        readonly code?: "unauthenticated";
                    };
                    /**
                     * @example {
                     *       "message": "Unauthorized"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `admin_required` (admin required), API Gateway's `Forbidden`. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 403;
                        /** @enum {unknown} */
                        readonly code?: "admin_required";
                    };
                    /**
                     * @example {
                     *       "message": "Forbidden"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `body_too_large` (body too large), API Gateway's `Request Entity Too Large`. */
            readonly 413: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 413;
                        /** @enum {unknown} */
                        readonly code?: "body_too_large";
                    };
                    /**
                     * @example {
                     *       "message": "Request Entity Too Large"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `unsupported_media_type` (unsupported media type). */
            readonly 415: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 415;
                        /** @enum {unknown} */
                        readonly code?: "unsupported_media_type";
                    };
                };
            };
            /** @description API Gateway's `Too Many Requests`. */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Too Many Requests"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description API Gateway's `Request Header Fields Too Large`. */
            readonly 431: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Request Header Fields Too Large"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `internal_error` (internal error), API Gateway's `Internal Server Error`. */
            readonly 500: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 500;
                        /** @enum {unknown} */
                        readonly code?: "internal_error";
                    };
                    /**
                     * @example {
                     *       "message": "Internal Server Error"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `issuer_unavailable` (issuer unavailable), `database_unavailable` (temporarily unavailable), API Gateway's `Service Unavailable`. */
            readonly 503: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 503;
                        /** @enum {unknown} */
                        readonly code?: "issuer_unavailable" | "database_unavailable";
                    };
                    /**
                     * @example {
                     *       "message": "Service Unavailable"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
        };
    };
    readonly listDbtSyncs: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description How many items a page has: 100 unless given, and at most 200; more is served as 200.
                 * @example 50
                 */
                readonly first?: number;
                /** @description The `pageInfo.endCursor` of the previous page of this very list with these very filters. Cursors are opaque. */
                readonly after?: string;
                /** @description Only syncs in this status. */
                readonly status?: "RUNNING" | "COMPLETED" | "FAILED" | "CANCELLED" | "UNKNOWN";
                /** @description Only syncs started in this way. */
                readonly trigger?: "manual" | "api" | "webhook" | "agent" | "unknown";
            };
            readonly header?: never;
            readonly path: {
                /**
                 * @description The deployment. One of another account is 404, as if it were not there.
                 * @example 1001
                 */
                readonly deploymentId: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of dbt syncs. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description How long the answer may be kept. */
                    readonly "Cache-Control"?: "no-store";
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly items: readonly components["schemas"]["DbtSync"][];
                        readonly pageInfo: components["schemas"]["PageInfo"];
                    };
                };
            };
            /** @description `invalid_parameter` (invalid parameter), `invalid_cursor` (invalid cursor), API Gateway's `Bad Request`. */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 400;
                        /** @enum {unknown} */
                        readonly code?: "invalid_parameter" | "invalid_cursor";
                    };
                    /**
                     * @example {
                     *       "message": "Bad Request"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `unauthenticated` (not authenticated), API Gateway's `Unauthorized`. */
            readonly 401: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 401;
                        /** @enum {unknown} */
                        readonly code?: "unauthenticated";
                    };
                    /**
                     * @example {
                     *       "message": "Unauthorized"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `deployment_forbidden` (no access to the deployment), API Gateway's `Forbidden`. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 403;
                        /** @enum {unknown} */
                        readonly code?: "deployment_forbidden";
                    };
                    /**
                     * @example {
                     *       "message": "Forbidden"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `deployment_not_found` (no such deployment), API Gateway's `Not Found`. */
            readonly 404: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 404;
                        /** @enum {unknown} */
                        readonly code?: "deployment_not_found";
                    };
                    /**
                     * @example {
                     *       "message": "Not Found"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description API Gateway's `Too Many Requests`. */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Too Many Requests"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description API Gateway's `Request Header Fields Too Large`. */
            readonly 431: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Request Header Fields Too Large"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `internal_error` (internal error), API Gateway's `Internal Server Error`. */
            readonly 500: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 500;
                        /** @enum {unknown} */
                        readonly code?: "internal_error";
                    };
                    /**
                     * @example {
                     *       "message": "Internal Server Error"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `issuer_unavailable` (issuer unavailable), `database_unavailable` (temporarily unavailable), API Gateway's `Service Unavailable`. */
            readonly 503: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 503;
                        /** @enum {unknown} */
                        readonly code?: "issuer_unavailable" | "database_unavailable";
                    };
                    /**
                     * @example {
                     *       "message": "Service Unavailable"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
        };
    };
    readonly listNotifications: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description How many items a page has: 100 unless given, and at most 200; more is served as 200.
                 * @example 50
                 */
                readonly first?: number;
                /** @description The `pageInfo.endCursor` of the previous page of this very list with these very filters. Cursors are opaque. */
                readonly after?: string;
                /** @description Of this dashboard. Use this or `dashboardPublicId`. */
                readonly dashboardId?: number;
                /** @description Of the dashboard with this public id. */
                readonly dashboardPublicId?: string;
                /** @description Received by this user. Excludes `recipientEmail` and the embed user. */
                readonly recipientUserId?: number;
                /** @description Received by the user with this address, in any case of letters. Excludes the other recipients. */
                readonly recipientEmail?: string;
                /** @description Received by the embed user of this tenant. Needs `recipientExternalId`. */
                readonly recipientEmbedTenantName?: string;
                /** @description Received by the embed user with this external id. Needs `recipientEmbedTenantName`. */
                readonly recipientExternalId?: string;
            };
            readonly header?: never;
            readonly path: {
                /**
                 * @description The deployment. One of another account is 404, as if it were not there.
                 * @example 1001
                 */
                readonly deploymentId: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of scheduled notifications. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description How long the answer may be kept. */
                    readonly "Cache-Control"?: "no-store";
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly items: readonly components["schemas"]["Notification"][];
                        readonly pageInfo: components["schemas"]["PageInfo"];
                    };
                };
            };
            /** @description `invalid_parameter` (invalid parameter), `invalid_cursor` (invalid cursor), API Gateway's `Bad Request`. */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 400;
                        /** @enum {unknown} */
                        readonly code?: "invalid_parameter" | "invalid_cursor";
                    };
                    /**
                     * @example {
                     *       "message": "Bad Request"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `unauthenticated` (not authenticated), API Gateway's `Unauthorized`. */
            readonly 401: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 401;
                        /** @enum {unknown} */
                        readonly code?: "unauthenticated";
                    };
                    /**
                     * @example {
                     *       "message": "Unauthorized"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `deployment_forbidden` (no access to the deployment), API Gateway's `Forbidden`. */
            readonly 403: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 403;
                        /** @enum {unknown} */
                        readonly code?: "deployment_forbidden";
                    };
                    /**
                     * @example {
                     *       "message": "Forbidden"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `deployment_not_found` (no such deployment), API Gateway's `Not Found`. */
            readonly 404: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 404;
                        /** @enum {unknown} */
                        readonly code?: "deployment_not_found";
                    };
                    /**
                     * @example {
                     *       "message": "Not Found"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description API Gateway's `Too Many Requests`. */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Too Many Requests"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description API Gateway's `Request Header Fields Too Large`. */
            readonly 431: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Request Header Fields Too Large"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `internal_error` (internal error), API Gateway's `Internal Server Error`. */
            readonly 500: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 500;
                        /** @enum {unknown} */
                        readonly code?: "internal_error";
                    };
                    /**
                     * @example {
                     *       "message": "Internal Server Error"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `issuer_unavailable` (issuer unavailable), `database_unavailable` (temporarily unavailable), API Gateway's `Service Unavailable`. */
            readonly 503: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly "Retry-After": components["headers"]["Retry-After"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 503;
                        /** @enum {unknown} */
                        readonly code?: "issuer_unavailable" | "database_unavailable";
                    };
                    /**
                     * @example {
                     *       "message": "Service Unavailable"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
        };
    };
    readonly getKeySet: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The key set. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description How long the answer may be kept. */
                    readonly "Cache-Control"?: "public, max-age=300";
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["KeySet"];
                };
            };
            /** @description API Gateway's `Bad Request`. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Bad Request"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description API Gateway's `Too Many Requests`. */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Too Many Requests"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description API Gateway's `Request Header Fields Too Large`. */
            readonly 431: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Request Header Fields Too Large"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `internal_error` (internal error), API Gateway's `Internal Server Error`. */
            readonly 500: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 500;
                        /** @enum {unknown} */
                        readonly code?: "internal_error";
                    };
                    /**
                     * @example {
                     *       "message": "Internal Server Error"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description API Gateway's `Service Unavailable`. */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Service Unavailable"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
        };
    };
    readonly getSpec: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The document. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description How long the answer may be kept. */
                    readonly "Cache-Control"?: "public, max-age=300";
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly openapi: string;
                        readonly info: {
                            readonly [key: string]: unknown;
                        };
                        readonly paths: {
                            readonly [key: string]: unknown;
                        };
                    } & {
                        readonly [key: string]: unknown;
                    };
                };
            };
            /** @description API Gateway's `Bad Request`. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Bad Request"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description API Gateway's `Too Many Requests`. */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Too Many Requests"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description API Gateway's `Request Header Fields Too Large`. */
            readonly 431: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Request Header Fields Too Large"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `internal_error` (internal error), API Gateway's `Internal Server Error`. */
            readonly 500: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 500;
                        /** @enum {unknown} */
                        readonly code?: "internal_error";
                    };
                    /**
                     * @example {
                     *       "message": "Internal Server Error"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description API Gateway's `Service Unavailable`. */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Service Unavailable"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
        };
    };
    readonly getErrorReference: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The page. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description How long the answer may be kept. */
                    readonly "Cache-Control"?: "public, max-age=300";
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/html": string;
                };
            };
            /** @description API Gateway's `Bad Request`. */
            readonly 400: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Bad Request"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description API Gateway's `Too Many Requests`. */
            readonly 429: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Too Many Requests"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description API Gateway's `Request Header Fields Too Large`. */
            readonly 431: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Request Header Fields Too Large"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `internal_error` (internal error), API Gateway's `Internal Server Error`. */
            readonly 500: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly "Cache-Control": components["headers"]["Cache-Control"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/problem+json": components["schemas"]["Problem"] & {
                        /** @constant */
                        readonly status?: 500;
                        /** @enum {unknown} */
                        readonly code?: "internal_error";
                    };
                    /**
                     * @example {
                     *       "message": "Internal Server Error"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description API Gateway's `Service Unavailable`. */
            readonly 503: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Service Unavailable"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GatewayError"];
                };
            };
        };
    };
}
