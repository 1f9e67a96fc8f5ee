// Made by `npm run openapi` from docs/openapi.json.

export interface paths {
    "/api/v1/deployments/{deploymentId}/embed-tenants/{embedTenantName}/workbooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List workbooks that an embed tenant can access
         * @description For admins. Lists every workbook that end users of the embed tenant can see, each once. Three sources grant access: a share with the tenant, a share with all embed users, or a shared folder above the workbook, at any depth (within 32 levels from the top). The order is fixed. If items come or go between two pages, no other item appears twice or is missed.
         */
        get: operations["listEmbedTenantWorkbooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/embed/generate-session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Generate an embed session
         * @description Called by the backend of the host application, with read access to the deployment. Captures who the end user is and what they may see. The session id goes to the browser, which redeems it once, within five minutes, for an embed token. All or nothing: definitions, the embed tenant (created when first named) and the session are written together after every check has passed.
         */
        post: operations["generateSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/embed/session/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeem a session for an embed token
         * @description Called by the browser. The session id is the credential. It works once: if several requests arrive at the same time, exactly one gets the token. An id that is unknown, expired, revoked or already redeemed gives the same 401. If the database loses an answer, the session may be gone without a token for this request (`answer_lost`). Do not send a session id again after an answer that is not a success: ask the host application for a new session. Pages of configured origins may call it (CORS).
         */
        post: operations["exchangeSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/embed/session/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a session and its token, or all of an embed tenant or user
         * @description With `sessionId`: the session cannot be redeemed any more, and a token that was issued for it is refused from then on. Admins revoke any session of the deployments that their credential opens. Others revoke sessions that they have generated with the same API key, or with access tokens. With `embedTenantName`, for admins: all tokens of that tenant (with `externalId`: of that user) whose sessions were generated up to now or within the next second are refused. Tokens of sessions that are not yet redeemed are refused too. An unknown id or name gets the same answer. All but `sessionId` is an extension of this service.
         */
        post: operations["revokeSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/embed/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask whether an embed token is still good
         * @description Called with the embed token itself, also that of an external user. Whoever verifies tokens with the key set alone learns here whether one was revoked. The answer is 401 if the token has expired or was revoked, or if its account, deployment or internal user is gone. Any other credential is 401 too. An extension of this service.
         */
        get: operations["getEmbedSession"];
        put?: never;
        post?: never;
        /**
         * End an embed token
         * @description Called by the browser with the embed token itself, when its user logs out. The token is refused from then on, so a second call is 401. Pages of configured origins may call it (CORS). An extension of this service.
         */
        delete: operations["endEmbedSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/embed/workbooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List workbooks that the end user of an embed token can see
         * @description An extension of this service. Called by the embedded page with the embed token of an external user: the list of its embed tenant in its deployment, with the same fields as the list for admins. A token without a tenant lists what is shared with all embed users. Pages of configured origins may call it (CORS).
         */
        get: operations["listEmbedWorkbooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/deployments/{deploymentId}/dbt-sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List dbt syncs of a deployment
         * @description Newest start first, then by `syncJobId`. Needs read access to the deployment.
         */
        get: operations["listDbtSyncs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/deployments/{deploymentId}/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List scheduled notifications of a deployment
         * @description Newest first, then by descending `id`. Needs read access to the deployment. Items describe the schedule alone. Give at most one identifier of a dashboard and one of a recipient. With both, a notification must match both. If the dashboard or the recipient does not exist, or the embed tenant of the recipient was deleted, the page is empty. If several users have the address, or several dashboards have the public id, the request is refused, and the error has up to 20 of their ids.
         */
        get: operations["listNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/deployments/{deploymentId}/workbooks/{workbookId}/embed-tenants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who can see a workbook
         * @description An extension of this service. For admins. Lists with whom the workbook or a folder above it is shared, each with every reason: first all embed users, then embed tenants by name. With `embedTenantName` the page has that tenant alone. Its reasons then include those of all embed users, and `explanation` says why it sees the workbook or does not. The tenant’s own list agrees, but shows a new workbook only once the indexes have it.
         */
        get: operations["listWorkbookEmbedTenants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/embed-tenants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List embed tenants
         * @description An extension of this service. For admins whose credential is not scoped to deployments. Lists the embed tenants of the account by name. A deleted tenant is never shown. A new tenant appears as soon as the index has it.
         */
        get: operations["listEmbedTenants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Keys that verify embed tokens
         * @description A JSON Web Key Set (RFC 7517). A signing key is published before it signs, and until all its tokens have expired. Verifiers find a key by the `kid` of the token. They may keep the set for as long as `Cache-Control` says.
         */
        get: operations["getKeySet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/embed-revocations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Which embed tokens are revoked
         * @description A JWT of the type `embed-revocations+jwt`, signed with a key of the key set, and valid for two minutes. Its claims are those of `EmbedRevocations`: hashes of all tokens, API keys, users, embed tenants, end users, deployments and accounts that were revoked or deleted, as long as their tokens could still be in use. Verifiers read it every 15 seconds. An extension of this service.
         */
        get: operations["getEmbedRevocations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/spec": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This document
         * @description The OpenAPI 3.1 document of the service, as JSON.
         */
        get: operations["getSpec"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/errors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What each error code means
         * @description A page for people, with cause and remedy of each code. The `type` of every problem links to it.
         */
        get: operations["getErrorReference"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        GenerateSession: {
            /** @description The deployment that the session is for. The caller needs read access to it. */
            deploymentId: number;
            /** @description Lets the end user create content. Must be `true` for tenant groups and their definitions. */
            creatorMode?: boolean | null;
            /** @description The e-mail address of the end user. Beside `internalId`, that of the user. */
            email?: string | null;
            /** @description The id of the end user at the host. The service trims it, and makes each letter lower case. Not blank, and not together with `internalId`. A session with neither is anonymous. */
            externalId?: string | null;
            /** @description An existing user of the account, by name or e-mail address. The session has that user's permissions. Only an admin may name another user. */
            internalId?: string | null;
            /** @description The embed tenant, created when first named: 2 to 36 lower-case letters, digits or hyphens. */
            embedTenantName?: string | null;
            /** @description Needs `embedTenantName`. The embed tenant gets this display name. */
            embedTenantProfile?: {
                displayName?: string | null;
            } | null;
            /** @description How the end user is shown. */
            userProfile?: {
                displayName?: string | null;
                picture?: string | null;
            } | null;
            /** @description Colours and font of the embedded pages. */
            embedTheme?: {
                analyticsChat?: {
                    backgroundColor?: string | null;
                    chatInput?: {
                        backgroundColor?: string | null;
                        borderColor?: string | null;
                    } | null;
                } | null;
                chat?: {
                    inputColor?: string | null;
                } | null;
                font?: string | null;
                primaryColor?: string | null;
            } | null;
            /** @description Global groups of the account, which must exist. Each goes unchanged into `securityContext.platformCloud.groups` of the token, where access policies of the data model use it. Creator mode does not show these groups. */
            groups?: string[] | null;
            /** @description Groups of the embed tenant, to share and organise content. Creator mode shows these groups alone. They need `creatorMode: true` and `embedTenantName`, and go into `securityContext.platformCloud.groups` of the token as `system:tenant:{embedTenantName}:group:{group}`. */
            tenantGroups?: string[] | null;
            /** @description Creates or updates groups of the embed tenant before they are assigned. A tenant has at most 1,000 groups. Groups that others than admins define take at most 32 KiB, and all definitions of a tenant 320 KiB. Names must not repeat. */
            tenantGroupDefinitions?: {
                name: string;
                description?: string | null;
            }[] | null;
            /**
             * @deprecated
             * @description Has no effect. Existing clients may send it, with any value but for the keys that no body may have. The answer then has a `Deprecation` header.
             */
            groupDefinitions?: unknown;
            /** @description Attributes of the end user. Names must not repeat. An attribute that is left out, or has no value, gets the default of its stored definition: that of the embed tenant, or of the account if the request names no tenant. Numbers as in `securityContext`, but none nearer to 0 than 1e-130, except 0. */
            userAttributes?: {
                name: string;
                value?: (string | number | boolean | string[] | number[]) | null;
            }[] | null;
            /** @description Creates or updates definitions of attributes. They belong to the embed tenant if the request names one, otherwise to the account. An embed tenant or an account has at most 200 definitions, and their defaults together take at most a quarter of a token. Only an admin whose credential is not limited to deployments or operations may change them. Other callers may send definitions as they are stored. `defaultValue` is a value of the `type`, or its JSON text, of at most 500 characters. Without a type it is a string. For numbers, the rule of `userAttributes` holds. Names must not repeat. */
            userAttributeDefinitions?: {
                name: string;
                /** @enum {string|null} */
                type?: "string" | "number" | "boolean" | "string_array" | "number_array" | null;
                defaultValue?: (string | number | boolean | string[] | number[]) | null;
                description?: string | null;
                displayName?: string | null;
            }[] | null;
            /** @description Copied into the token, for access policies. At most 64 KiB as JSON, nested at most 64 deep. A number must keep its value as a 64-bit float, and an integer must be within ±(2^53 - 1). Send others as strings. The service sets `platformCloud` itself, so that key is not allowed here, nor is `cubeCloud`. */
            securityContext?: {
                [key: string]: unknown;
            } | null;
            /** @description Copied into the token. They give nobody a role on this platform. */
            roles?: string[] | null;
            /** @description Who views the pages as this end user, and why: for support. For admins with an unlimited credential. Needs `externalId`. An embed tenant that the request names must be there. The session defines nothing, has no creator mode and so no tenant groups, and its token lives at most 30 minutes. The token says `act`. `reason` is in the audit alone. An extension of this service. */
            actor?: {
                id: string;
                reason: string;
            } | null;
            /** @description The branch of the data model that the end user sees. Copied into the token. A dry run warns of a name that git does not take. */
            branchName?: string | null;
            /** @description The public id of the dashboard to show. */
            publicDashboardId?: string | null;
            /** @description How long the token lives once the session is redeemed: from 60 seconds to the limit of the service, which a dry run shows as `limits.tokenSeconds`. Left out, it lives as long as the limit. An extension of this service. */
            tokenLifetimeSeconds?: number | null;
            /** @description Copied into the token. */
            isEphemeral?: boolean | null;
            /** @description Settings of this session alone. Keys that are left out have their defaults. */
            settings?: {
                allowAi?: boolean | null;
                allowChatWorkspaceAuthoring?: boolean | null;
                showAiWidgets?: boolean | null;
                showDashboardChat?: boolean | null;
                showDashboardSettings?: boolean | null;
                showGroupByModel?: boolean | null;
                showMemberNames?: boolean | null;
                showWorkbookChat?: boolean | null;
                showWorkbookShare?: boolean | null;
                locale?: string | null;
                timezone?: string | null;
            } | null;
        };
        PageInfo: {
            /** @description Whether the list goes on after this page. A page with fewer items than `first`, or none, may have a next one, too. */
            hasNextPage: boolean;
            /** @description Whether `after` was given. Pages go forward only. */
            hasPreviousPage: boolean;
            /** @description The cursor of the first item. Null on an empty page. */
            startCursor?: string | null;
            /** @description Where the page ends, for `after`. Null on an empty page that is the last one. */
            endCursor?: string | null;
        };
        Workbook: {
            id: number;
            deploymentId: number;
            name: string;
            meta: {
                [key: string]: unknown;
            };
            calculatedFields: {
                [key: string]: unknown;
            };
            /** @description ISO 8601, as the platform wrote it. Without an offset it is UTC. */
            createdAt: string;
            /** @description ISO 8601, as the platform wrote it. Without an offset it is UTC. */
            updatedAt: string;
            /**
             * @description The kind of entry.
             * @enum {string}
             */
            type: "FOLDER" | "WORKBOOK" | "REPORT";
            createdBy?: number;
            dashboardDraft?: components["schemas"]["DashboardConfig"] | null;
            dashboardPublished?: components["schemas"]["DashboardConfig"] | null;
            /** @description The folder that contains the workbook, an integer. Null at the top level. */
            folderId?: number | null;
            /** @description The folders that contain the workbook, root first, with their current names. */
            folderPath?: components["schemas"]["WorkspaceFolderPathEntry"][];
            isFavorite?: boolean | null;
            /** @description Where the workbook was promoted from or to, as the platform says it. Null if it never was. */
            promotion?: {
                [key: string]: unknown;
            } | null;
            /** @description The dashboard that is shown to end users. */
            publishedDashboard?: components["schemas"]["Dashboard"] | null;
            slug?: string | null;
            /** @description Who owns the workbook. */
            user?: components["schemas"]["ResourceOwner"] | null;
            userId?: number | null;
            accessSources?: components["schemas"]["AccessReason"][];
        };
        AccessReason: components["schemas"]["TenantAccessReason"] | components["schemas"]["AllEmbedUsersAccessReason"] | components["schemas"]["FolderAccessReason"];
        TenantAccessReason: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            source: "tenant";
        };
        AllEmbedUsersAccessReason: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            source: "allEmbedUsers";
        };
        FolderAccessReason: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            source: "folder";
            folder: components["schemas"]["WorkspaceFolderPathEntry"];
            grantee: components["schemas"]["Grantee"];
        };
        Grantee: components["schemas"]["EmbedTenantGrantee"] | components["schemas"]["AllEmbedUsersGrantee"];
        EmbedTenantGrantee: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "embedTenant";
            name: string;
        };
        AllEmbedUsersGrantee: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "allEmbedUsers";
        };
        EmbedAccess: {
            /** @description An embed tenant, or all embed users. */
            grantee: components["schemas"]["Grantee"];
            /** @description Every share by which it sees the workbook: direct ones first, then those of folders, root first. */
            reasons: components["schemas"]["AccessReason"][];
        };
        AccessExplanation: {
            isSeen: boolean;
            /** @description The folders above the workbook, root first, and the workbook itself, each with its shares with the tenant and with all embed users. */
            path: {
                /** @enum {string} */
                type: "folder" | "workbook";
                id: number;
                name: string;
                shares: {
                    grantee: components["schemas"]["Grantee"];
                    /** @enum {string} */
                    state: "shared" | "noLongerShared" | "notShared";
                }[];
            }[];
            /** @description Why the path begins where it does: the folder that should come before it, and why that folder does not count. Null if the path begins at the top level. */
            end: components["schemas"]["AccessPathEnd"] | null;
        };
        AccessPathEnd: {
            folderId: number;
            /** @enum {string} */
            why: "deleted" | "missing" | "tooDeep";
        };
        EmbedTenant: {
            name: string;
            displayName?: string | null;
            /** @description When it was created, as the catalog says, or else when this service first heard of it, by its record, a share, a recipient, a definition or a session. Null if neither is known. */
            createdAt?: string | null;
        };
        WorkspaceFolderPathEntry: {
            id: number;
            name: string;
        };
        ResourceOwner: {
            id: number;
            email: string;
            firstName?: string | null;
            picture?: string | null;
        };
        Dashboard: {
            id: number;
            /** @description The id by which embeds name the dashboard. */
            publicId: string;
            deploymentId: number;
            workbookId: number;
            /** @enum {string} */
            status: "draft" | "published" | "archived";
            allowEmbed: boolean;
            config: components["schemas"]["DashboardConfig"];
            versionNumber: number;
            versionId: number;
            reportSnapshots: components["schemas"]["ReportSnapshot"][];
            createdBy?: number | null;
            description?: string | null;
            fromSharedWorkspace?: boolean | null;
            restrictDataDownload?: boolean | null;
            title?: string | null;
            useBoardDashboards?: boolean | null;
        };
        DashboardConfig: {
            app?: components["schemas"]["DashboardAppSource"] | null;
            description?: string | null;
            /** @enum {string|null} */
            kind?: "CLASSIC" | "APP" | null;
            layout?: components["schemas"]["DashboardLayout"] | null;
            settings?: {
                [key: string]: unknown;
            } | null;
            theme?: {
                [key: string]: unknown;
            } | null;
            title?: string | null;
            widgets?: components["schemas"]["DashboardWidget"][] | null;
        };
        DashboardAppSource: {
            entry?: string | null;
            files?: {
                [key: string]: string;
            } | null;
            html?: string | null;
            manifest?: components["schemas"]["DashboardAppManifest"] | null;
        };
        DashboardAppManifest: {
            dependencies?: {
                [key: string]: string;
            } | null;
            version?: number | null;
        };
        DashboardLayout: {
            breakpoints?: {
                lg?: number | null;
                md?: number | null;
                sm?: number | null;
                xs?: number | null;
                xxs?: number | null;
            } | null;
            cols?: {
                lg?: number | null;
                md?: number | null;
                sm?: number | null;
                xs?: number | null;
                xxs?: number | null;
            } | null;
            containerPadding?: number[] | null;
            margin?: number[] | null;
            rowHeight?: number | null;
        };
        DashboardWidget: {
            id: string;
            /** @enum {string} */
            type: "CHART" | "TEXT" | "FILTER" | "AI" | "TIME_GRAIN" | "FIELD" | "PARENT" | "SPACER" | "DIVIDER" | "CONTAINER";
            position: components["schemas"]["DashboardWidgetPosition"];
            config?: {
                [key: string]: unknown;
            } | null;
            responsiveLayouts?: {
                lg?: components["schemas"]["DashboardWidgetPosition"] | null;
                md?: components["schemas"]["DashboardWidgetPosition"] | null;
                sm?: components["schemas"]["DashboardWidgetPosition"] | null;
                xs?: components["schemas"]["DashboardWidgetPosition"] | null;
                xxs?: components["schemas"]["DashboardWidgetPosition"] | null;
            };
            style?: {
                [key: string]: unknown;
            } | null;
        };
        DashboardWidgetPosition: {
            x: number;
            y: number;
            w: number;
            h: number;
        };
        ReportSnapshot: {
            id: number;
            reportId: number;
            versionNumber: number;
            /** @description The public id of the report. Null in versions from before it was recorded. */
            publicId?: string | null;
            description?: string | null;
            fillMissingRows?: components["schemas"]["FillMissingRows"] | null;
            isSourceReport?: boolean | null;
            /** @enum {string|null} */
            kind?: "vega" | "table" | "kpi" | "html" | "map" | "sankey" | null;
            meta?: {
                [key: string]: unknown;
            } | null;
            name?: string | null;
            periodComparisons?: components["schemas"]["PeriodComparison"][] | null;
            preferences?: components["schemas"]["ReportSnapshotPreferences"] | null;
            pythonCode?: string | null;
            spec?: (string | {
                [key: string]: unknown;
            }) | null;
            sqlQuery?: string | null;
            title?: string | null;
        };
        FillMissingRows: {
            member: string;
            excludedDimensions?: string[] | null;
        };
        PeriodComparison: {
            measure: string;
            timeDimension: string;
            offset: {
                amount: number;
                unit: string;
            };
            outputs?: string[] | null;
        };
        ReportSnapshotPreferences: {
            columnFormats?: {
                [key: string]: components["schemas"]["ColumnFormatOverride"] | null;
            } | null;
        };
        ColumnFormatOverride: {
            /** @enum {string} */
            type: "currency" | "percent" | "number";
            decimalPlaces?: number | null;
        };
        DbtSync: {
            syncJobId: string;
            deploymentId: number;
            branchName: string;
            /** @description Where the dbt project came from. */
            source: string;
            /** @description ISO 8601, as the platform wrote it. Without an offset it is UTC. */
            startedAt: string;
            /** @enum {string} */
            status: "RUNNING" | "COMPLETED" | "FAILED" | "CANCELLED" | "UNKNOWN";
            /** @enum {string} */
            trigger: "manual" | "api" | "webhook" | "agent" | "unknown";
            /** @description ISO 8601, as the platform wrote it. Without an offset it is UTC. */
            completedAt?: string;
            /** @description Milliseconds from start to completion. */
            durationMs?: number;
            errorMessage?: string;
            /** @description The phase in which it failed. */
            failedPhase?: string;
            gitRef?: string;
            /** @description The last stage that it reached. */
            lastStage?: string;
            phases?: components["schemas"]["DbtSyncPhase"][];
            stats?: components["schemas"]["DbtSyncStats"];
            /** @description What the trigger said, such as the commit that was pushed. */
            triggerContext?: components["schemas"]["DbtSyncTriggerContext"];
            /** @description Who started it. */
            userId?: number;
        };
        DbtSyncPhase: {
            phase?: string;
            outcome?: string;
            durationMs?: number;
            /** @description Milliseconds from the start of the sync. */
            startedOffsetMs?: number;
        };
        DbtSyncStats: {
            cubeCount?: number;
            dbtVersion?: string;
            generatedFileCount?: number;
            macros?: number;
            manifestGeneratedAt?: string;
            models?: number;
            sources?: number;
        };
        DbtSyncTriggerContext: {
            headSha?: string;
            pushedBranch?: string;
            targetBranch?: string;
        };
        Notification: {
            id: number;
            deploymentId: number;
            dashboardId?: number;
            /** @description When it is sent, in `timezone`. */
            cronExpression?: string;
            humanReadableSchedule?: string;
            timezone?: string;
            /** @description Whether the schedule is active. */
            isEnabled?: boolean;
            notificationEnabled?: boolean;
            notificationAiSummary?: boolean;
            notificationFormat?: string;
            /** @description Filters of the dashboard that are applied before it is sent. */
            filters?: components["schemas"]["NotificationFilter"][];
            memberSwitchers?: {
                member?: string;
                selected?: string;
            }[];
            timeGrains?: {
                grain?: string;
                member?: string;
            }[];
        };
        NotificationFilter: {
            member?: string;
            operator?: string;
            value?: string;
            caseSensitive?: (boolean | number | string) | null;
            endInclusive?: (boolean | number | string) | null;
            startInclusive?: (boolean | number | string) | null;
        };
        GeneratedSession: {
            /** @description A credential for the browser alone, to be redeemed once, within five minutes. */
            sessionId: string;
        };
        DryRun: {
            /** @description The claims that the token would have. No token will ever have this `jti`. */
            claims: components["schemas"]["EmbedTokenClaims"];
            /** @description The length that the token would have, in bytes. */
            tokenBytes: number;
            /** @description The greatest length of a token in bytes, and the lifetimes of a session and a token in seconds. */
            limits: {
                maxTokenBytes: number;
                sessionSeconds: number;
                tokenSeconds: number;
            };
            warnings: {
                pointer: string;
                message: string;
            }[];
        };
        EmbedTokenClaims: {
            iss: string;
            aud: string;
            /** @description The end user, unique within the issuer. */
            sub: string;
            iat: number;
            nbf: number;
            exp: number;
            /** @description The same for a session and its token, so the audit can follow them. */
            jti: string;
            accountId: string;
            deploymentId: number;
            creatorMode?: boolean;
            email?: string;
            externalId?: string;
            internalId?: string;
            embedTenantName?: string;
            embedTenantProfile?: {
                displayName?: string;
            };
            userProfile?: {
                displayName?: string;
                picture?: string;
            };
            embedTheme?: {
                analyticsChat?: {
                    backgroundColor?: string;
                    chatInput?: {
                        backgroundColor?: string;
                        borderColor?: string;
                    };
                };
                chat?: {
                    inputColor?: string;
                };
                font?: string;
                primaryColor?: string;
            };
            groups?: string[];
            tenantGroups?: string[];
            roles?: string[];
            branchName?: string;
            publicDashboardId?: string;
            isEphemeral?: boolean;
            settings?: {
                allowAi?: boolean;
                allowChatWorkspaceAuthoring?: boolean;
                showAiWidgets?: boolean;
                showDashboardChat?: boolean;
                showDashboardSettings?: boolean;
                showGroupByModel?: boolean;
                showMemberNames?: boolean;
                showWorkbookChat?: boolean;
                showWorkbookShare?: boolean;
                locale?: string;
                timezone?: string;
            };
            /** @description The internal user, for sessions with `internalId`. */
            userId?: number;
            /** @description Who really views the pages (RFC 8693, section 4.1), for sessions with an `actor`. A service that takes the token must refuse to write. */
            act?: {
                sub: string;
            };
            /** @description Who generated the session, and when, in seconds since the epoch. `key` is the beginning of the hash of the API key. Revocations of all sessions of a key or user compare it. */
            mintedBy: {
                userId: number;
                key?: string;
                at: number;
            };
            userAttributes?: {
                name: string;
                value: string | number | boolean | string[] | number[];
            }[];
            /** @description As given, with `platformCloud.groups` where groups or tenant groups were given. */
            securityContext?: {
                platformCloud?: {
                    groups: string[];
                };
            } & {
                [key: string]: unknown;
            };
        };
        CurrentEmbedSession: {
            /** @description The claims of the token. */
            claims: components["schemas"]["EmbedTokenClaims"];
            /** @description How long the token is valid from now, in whole seconds. */
            expiresIn: number;
        };
        EmbedToken: {
            /** @description The signed JWT. Its claims are those of `EmbedTokenClaims`. */
            token: string;
            /** @description The lifetime of the token from now, in seconds. */
            expiresIn: number;
        };
        EmbedRevocations: {
            iss: string;
            /** @description When the revocations were read, in seconds since the epoch. */
            iat: number;
            exp: number;
            /** @description Whether all revocations are here. If not, ask about each token that is not refused. */
            complete: boolean;
            /** @description A time for each hash, in seconds since the epoch. A token is refused if one of its hashes is here and its `mintedBy.at` is not later than that time. */
            revoked: {
                [key: string]: number;
            };
        };
        KeySet: {
            keys: {
                /** @enum {string} */
                kty: "EC";
                /** @enum {string} */
                crv: "P-256";
                x: string;
                y: string;
                kid: string;
                /** @enum {string} */
                alg: "ES256";
                /** @enum {string} */
                use: "sig";
            }[];
        };
        /** @description An error of ours (RFC 9457). */
        Problem: {
            /**
             * Format: uri
             * @description Where the code is documented.
             */
            type: string;
            /** @description The code in words. Every problem with this code has the same title. */
            title: string;
            /** @description The status of the response. */
            status: number;
            /** @description What is wrong with this request. */
            detail: string;
            /**
             * @description Stable. Programs distinguish errors by it.
             * @enum {string}
             */
            code: "invalid_body" | "malformed_json" | "invalid_parameter" | "invalid_cursor" | "unknown_name" | "context_too_large" | "too_many_embed_tenants" | "unauthenticated" | "invalid_session" | "answer_lost" | "admin_required" | "end_user" | "api_key_in_browser" | "operation_not_allowed" | "deployment_forbidden" | "embedding_disabled" | "external_user_required" | "internal_id_forbidden" | "definitions_forbidden" | "view_as_forbidden" | "deployment_not_found" | "embed_tenant_not_found" | "workbook_not_found" | "body_too_large" | "unsupported_media_type" | "internal_error" | "issuer_unavailable" | "database_unavailable";
            /** @description The same text as `detail`. */
            message: string;
            /** @description The id of the request. */
            requestId: string;
            /** @description The mistakes in the input, at most 1000, if the input has mistakes. */
            errors?: components["schemas"]["InputError"][];
        };
        /** @description One mistake, in a field of the body or in a parameter. */
        InputError: {
            /** @description The field, as a JSON pointer (RFC 6901). Empty for the body itself. */
            pointer: string;
            message: string;
        } | {
            /** @description The parameter of the path or query. */
            parameter: string;
            message: string;
        };
        /** @description An error that API Gateway writes itself. */
        GatewayError: {
            message: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description The id of the request. It finds the request in our logs.
         * @example a3Fq7XkYiE9LBc0=
         */
        "X-Request-Id": string;
        /**
         * @description A browser must not guess another type of content.
         * @example nosniff
         */
        "X-Content-Type-Options": "nosniff";
        /**
         * @description For so many seconds, a browser calls this host by https only.
         * @example max-age=31536000
         */
        "Strict-Transport-Security": "max-age=31536000";
        /**
         * @description The answer must not be kept.
         * @example no-store
         */
        "Cache-Control": "no-store";
        /**
         * @description The scheme to authenticate with.
         * @example Bearer
         */
        "WWW-Authenticate": "Bearer";
        /**
         * @description Seconds to wait before the next try.
         * @example 1
         */
        "Retry-After": string;
        /**
         * @description Names the answer. With it in `If-None-Match`, the next answer may be a 304.
         * @example W/"kzX5Uq2m4V8f0nGh1bYtL3dRj6sPwEoAi7cNvKxTzM0"
         */
        ETag: string;
        /**
         * @description When something that the request uses became deprecated (RFC 9745). The example is that of `groupDefinitions`.
         * @example @1767225600
         */
        Deprecation: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listEmbedTenantWorkbooks: {
        parameters: {
            query?: {
                /**
                 * @description How many items a page has: 100 by default, at most 200. A larger number gives 200.
                 * @example 50
                 */
                first?: number;
                /** @description The `pageInfo.endCursor` of the previous page of this list with these filters. Cursors are opaque. */
                after?: string;
                /** @description Only workbooks that this source grants: `tenant` (shared with the tenant itself), `allEmbedUsers` (shared with all embed users) or `folder` (in a folder, at any depth, that is shared with either). */
                accessSource?: "tenant" | "allEmbedUsers" | "folder" | null;
                /** @description `accessSources` adds to each workbook every reason why it can be seen, whatever `accessSource` is. An extension of this service. */
                include?: "accessSources";
            };
            header?: never;
            path: {
                /**
                 * @description The deployment. A deployment of another account gives 404, as an unknown one does.
                 * @example 1001
                 */
                deploymentId: number;
                /**
                 * @description The embed tenant, in any case of letters. A tenant that nothing in the account has named gives 404.
                 * @example alder-oak
                 */
                embedTenantName: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of workbooks. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: "no-store";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Workbook"][];
                        pageInfo: components["schemas"]["PageInfo"];
                    };
                };
            };
            /** @description `invalid_parameter` (invalid parameter), `invalid_cursor` (invalid cursor), API Gateway's `Bad Request`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 400;
                        /** @enum {unknown} */
                        code?: "invalid_parameter" | "invalid_cursor";
                    };
                    /**
                     * @example {
                     *       "message": "Bad Request"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `unauthenticated` (not authenticated), API Gateway's `Unauthorized`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 401;
                        /** @enum {unknown} */
                        code?: "unauthenticated";
                    };
                    /**
                     * @example {
                     *       "message": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `api_key_in_browser` (api key in a browser), `end_user` (end user), `operation_not_allowed` (operation not permitted), `admin_required` (admin required), `deployment_forbidden` (no access to the deployment), API Gateway's `Forbidden`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 403;
                        /** @enum {unknown} */
                        code?: "api_key_in_browser" | "end_user" | "operation_not_allowed" | "admin_required" | "deployment_forbidden";
                    };
                    /**
                     * @example {
                     *       "message": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `deployment_not_found` (no such deployment), `embed_tenant_not_found` (no such embed tenant), API Gateway's `Not Found`. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 404;
                        /** @enum {unknown} */
                        code?: "deployment_not_found" | "embed_tenant_not_found";
                    };
                    /**
                     * @example {
                     *       "message": "Not Found"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description API Gateway's `Too Many Requests`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Too Many Requests"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description API Gateway's `Request Header Fields Too Large`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Request Header Fields Too Large"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `internal_error` (internal error), API Gateway's `Internal Server Error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 500;
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                    /**
                     * @example {
                     *       "message": "Internal Server Error"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `issuer_unavailable` (issuer unavailable), `database_unavailable` (temporarily unavailable), API Gateway's `Service Unavailable`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 503;
                        /** @enum {unknown} */
                        code?: "issuer_unavailable" | "database_unavailable";
                    };
                    /**
                     * @example {
                     *       "message": "Service Unavailable"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
        };
    };
    generateSession: {
        parameters: {
            query?: {
                /**
                 * @description With `true`, everything is checked and nothing is written. The answer has the claims of the token, its size, and warnings about probable mistakes that a real call accepts. An extension of this service.
                 * @example false
                 */
                dryRun?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 256 KiB. A field that is null counts as left out. The key `__proto__` is not allowed at any depth, nor `prototype` inside `constructor`. With `internalId`, `groups`, `tenantGroups`, `tenantGroupDefinitions`, `userAttributes`, `userAttributeDefinitions`, `securityContext`, `userProfile` and `roles` are not allowed, unless they are empty. The token may have at most 7,168 bytes, unless the service has another limit. A dry run shows it as `limits.maxTokenBytes`. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["GenerateSession"];
            };
        };
        responses: {
            /** @description The session id, or the result of the dry run. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: "no-store";
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GeneratedSession"] | components["schemas"]["DryRun"];
                };
            };
            /** @description `invalid_body` (invalid body), `malformed_json` (malformed json), `invalid_parameter` (invalid parameter), `unknown_name` (unknown name), `context_too_large` (context too large), `too_many_embed_tenants` (too many embed tenants), API Gateway's `Bad Request`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 400;
                        /** @enum {unknown} */
                        code?: "invalid_body" | "malformed_json" | "invalid_parameter" | "unknown_name" | "context_too_large" | "too_many_embed_tenants";
                    };
                    /**
                     * @example {
                     *       "message": "Bad Request"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `unauthenticated` (not authenticated), API Gateway's `Unauthorized`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 401;
                        /** @enum {unknown} */
                        code?: "unauthenticated";
                    };
                    /**
                     * @example {
                     *       "message": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `api_key_in_browser` (api key in a browser), `end_user` (end user), `operation_not_allowed` (operation not permitted), `deployment_forbidden` (no access to the deployment), `admin_required` (admin required), `embedding_disabled` (embedding disabled), `internal_id_forbidden` (internal user not permitted), `definitions_forbidden` (definitions not permitted), `view_as_forbidden` (actor not permitted), API Gateway's `Forbidden`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 403;
                        /** @enum {unknown} */
                        code?: "api_key_in_browser" | "end_user" | "operation_not_allowed" | "deployment_forbidden" | "admin_required" | "embedding_disabled" | "internal_id_forbidden" | "definitions_forbidden" | "view_as_forbidden";
                    };
                    /**
                     * @example {
                     *       "message": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `deployment_not_found` (no such deployment). */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 404;
                        /** @enum {unknown} */
                        code?: "deployment_not_found";
                    };
                };
            };
            /** @description `body_too_large` (body too large), API Gateway's `Request Entity Too Large`. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 413;
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    };
                    /**
                     * @example {
                     *       "message": "Request Entity Too Large"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `unsupported_media_type` (unsupported media type). */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 415;
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    };
                };
            };
            /** @description API Gateway's `Too Many Requests`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Too Many Requests"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description API Gateway's `Request Header Fields Too Large`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Request Header Fields Too Large"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `internal_error` (internal error), API Gateway's `Internal Server Error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 500;
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                    /**
                     * @example {
                     *       "message": "Internal Server Error"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `issuer_unavailable` (issuer unavailable), `database_unavailable` (temporarily unavailable), API Gateway's `Service Unavailable`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 503;
                        /** @enum {unknown} */
                        code?: "issuer_unavailable" | "database_unavailable";
                    };
                    /**
                     * @example {
                     *       "message": "Service Unavailable"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
        };
    };
    exchangeSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The session id. */
        requestBody: {
            content: {
                "application/json": {
                    sessionId: string;
                };
            };
        };
        responses: {
            /** @description The embed token, a JWT signed with ES256, and its lifetime. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: "no-store";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmbedToken"];
                };
            };
            /** @description `invalid_body` (invalid body), `malformed_json` (malformed json), API Gateway's `Bad Request`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 400;
                        /** @enum {unknown} */
                        code?: "invalid_body" | "malformed_json";
                    };
                    /**
                     * @example {
                     *       "message": "Bad Request"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `invalid_session` (invalid session), `answer_lost` (answer lost). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 401;
                        /** @enum {unknown} */
                        code?: "invalid_session" | "answer_lost";
                    };
                };
            };
            /** @description `body_too_large` (body too large), API Gateway's `Request Entity Too Large`. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 413;
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    };
                    /**
                     * @example {
                     *       "message": "Request Entity Too Large"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `unsupported_media_type` (unsupported media type). */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 415;
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    };
                };
            };
            /** @description API Gateway's `Too Many Requests`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Too Many Requests"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description API Gateway's `Request Header Fields Too Large`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Request Header Fields Too Large"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `internal_error` (internal error), API Gateway's `Internal Server Error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 500;
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                    /**
                     * @example {
                     *       "message": "Internal Server Error"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `database_unavailable` (temporarily unavailable), API Gateway's `Service Unavailable`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 503;
                        /** @enum {unknown} */
                        code?: "database_unavailable";
                    };
                    /**
                     * @example {
                     *       "message": "Service Unavailable"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
        };
    };
    revokeSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Either `sessionId`, or `embedTenantName`, alone or with `externalId`. An `externalId` that is null is refused, because it could be taken for all users. */
        requestBody: {
            content: {
                "application/json": {
                    sessionId?: string | null;
                    embedTenantName?: string | null;
                    externalId?: string;
                };
            };
        };
        responses: {
            /** @description Revoked, or there was nothing to revoke. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: "no-store";
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_body` (invalid body), `malformed_json` (malformed json), API Gateway's `Bad Request`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 400;
                        /** @enum {unknown} */
                        code?: "invalid_body" | "malformed_json";
                    };
                    /**
                     * @example {
                     *       "message": "Bad Request"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `unauthenticated` (not authenticated), API Gateway's `Unauthorized`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 401;
                        /** @enum {unknown} */
                        code?: "unauthenticated";
                    };
                    /**
                     * @example {
                     *       "message": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `api_key_in_browser` (api key in a browser), `end_user` (end user), `operation_not_allowed` (operation not permitted), `admin_required` (admin required), API Gateway's `Forbidden`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 403;
                        /** @enum {unknown} */
                        code?: "api_key_in_browser" | "end_user" | "operation_not_allowed" | "admin_required";
                    };
                    /**
                     * @example {
                     *       "message": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `body_too_large` (body too large), API Gateway's `Request Entity Too Large`. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 413;
                        /** @enum {unknown} */
                        code?: "body_too_large";
                    };
                    /**
                     * @example {
                     *       "message": "Request Entity Too Large"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `unsupported_media_type` (unsupported media type). */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 415;
                        /** @enum {unknown} */
                        code?: "unsupported_media_type";
                    };
                };
            };
            /** @description API Gateway's `Too Many Requests`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Too Many Requests"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description API Gateway's `Request Header Fields Too Large`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Request Header Fields Too Large"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `internal_error` (internal error), API Gateway's `Internal Server Error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 500;
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                    /**
                     * @example {
                     *       "message": "Internal Server Error"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `issuer_unavailable` (issuer unavailable), `database_unavailable` (temporarily unavailable), API Gateway's `Service Unavailable`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 503;
                        /** @enum {unknown} */
                        code?: "issuer_unavailable" | "database_unavailable";
                    };
                    /**
                     * @example {
                     *       "message": "Service Unavailable"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
        };
    };
    getEmbedSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The token is good. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: "no-store";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CurrentEmbedSession"];
                };
            };
            /** @description API Gateway's `Bad Request`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Bad Request"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `unauthenticated` (not authenticated). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 401;
                        /** @enum {unknown} */
                        code?: "unauthenticated";
                    };
                };
            };
            /** @description API Gateway's `Too Many Requests`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Too Many Requests"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description API Gateway's `Request Header Fields Too Large`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Request Header Fields Too Large"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `internal_error` (internal error), API Gateway's `Internal Server Error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 500;
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                    /**
                     * @example {
                     *       "message": "Internal Server Error"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `database_unavailable` (temporarily unavailable), API Gateway's `Service Unavailable`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 503;
                        /** @enum {unknown} */
                        code?: "database_unavailable";
                    };
                    /**
                     * @example {
                     *       "message": "Service Unavailable"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
        };
    };
    endEmbedSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The token has ended. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: "no-store";
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description API Gateway's `Bad Request`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Bad Request"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `unauthenticated` (not authenticated). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 401;
                        /** @enum {unknown} */
                        code?: "unauthenticated";
                    };
                };
            };
            /** @description API Gateway's `Too Many Requests`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Too Many Requests"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description API Gateway's `Request Header Fields Too Large`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Request Header Fields Too Large"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `internal_error` (internal error), API Gateway's `Internal Server Error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 500;
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                    /**
                     * @example {
                     *       "message": "Internal Server Error"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `database_unavailable` (temporarily unavailable), API Gateway's `Service Unavailable`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 503;
                        /** @enum {unknown} */
                        code?: "database_unavailable";
                    };
                    /**
                     * @example {
                     *       "message": "Service Unavailable"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
        };
    };
    listEmbedWorkbooks: {
        parameters: {
            query?: {
                /**
                 * @description How many items a page has: 100 by default, at most 200. A larger number gives 200.
                 * @example 50
                 */
                first?: number;
                /** @description The `pageInfo.endCursor` of the previous page of this list with these filters. Cursors are opaque. */
                after?: string;
                /** @description Only workbooks that this source grants: `tenant` (shared with the tenant itself), `allEmbedUsers` (shared with all embed users) or `folder` (in a folder, at any depth, that is shared with either). */
                accessSource?: "tenant" | "allEmbedUsers" | "folder" | null;
                /** @description `accessSources` adds to each workbook every reason why it can be seen, whatever `accessSource` is. An extension of this service. */
                include?: "accessSources";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of workbooks. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: "no-store";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Workbook"][];
                        pageInfo: components["schemas"]["PageInfo"];
                    };
                };
            };
            /** @description `invalid_parameter` (invalid parameter), `invalid_cursor` (invalid cursor), API Gateway's `Bad Request`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 400;
                        /** @enum {unknown} */
                        code?: "invalid_parameter" | "invalid_cursor";
                    };
                    /**
                     * @example {
                     *       "message": "Bad Request"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `unauthenticated` (not authenticated). */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 401;
                        /** @enum {unknown} */
                        code?: "unauthenticated";
                    };
                };
            };
            /** @description `external_user_required` (external user required). */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 403;
                        /** @enum {unknown} */
                        code?: "external_user_required";
                    };
                };
            };
            /** @description API Gateway's `Too Many Requests`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Too Many Requests"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description API Gateway's `Request Header Fields Too Large`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Request Header Fields Too Large"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `internal_error` (internal error), API Gateway's `Internal Server Error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 500;
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                    /**
                     * @example {
                     *       "message": "Internal Server Error"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `database_unavailable` (temporarily unavailable), API Gateway's `Service Unavailable`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 503;
                        /** @enum {unknown} */
                        code?: "database_unavailable";
                    };
                    /**
                     * @example {
                     *       "message": "Service Unavailable"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
        };
    };
    listDbtSyncs: {
        parameters: {
            query?: {
                /**
                 * @description How many items a page has: 100 by default, at most 200. A larger number gives 200.
                 * @example 50
                 */
                first?: number;
                /** @description The `pageInfo.endCursor` of the previous page of this list with these filters. Cursors are opaque. */
                after?: string;
                /** @description Only syncs in this status. */
                status?: "RUNNING" | "COMPLETED" | "FAILED" | "CANCELLED" | "UNKNOWN";
                /** @description Only syncs with this trigger. */
                trigger?: "manual" | "api" | "webhook" | "agent" | "unknown";
            };
            header?: never;
            path: {
                /**
                 * @description The deployment. A deployment of another account gives 404, as an unknown one does.
                 * @example 1001
                 */
                deploymentId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of dbt syncs. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: "no-store";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["DbtSync"][];
                        pageInfo: components["schemas"]["PageInfo"];
                    };
                };
            };
            /** @description `invalid_parameter` (invalid parameter), `invalid_cursor` (invalid cursor), API Gateway's `Bad Request`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 400;
                        /** @enum {unknown} */
                        code?: "invalid_parameter" | "invalid_cursor";
                    };
                    /**
                     * @example {
                     *       "message": "Bad Request"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `unauthenticated` (not authenticated), API Gateway's `Unauthorized`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 401;
                        /** @enum {unknown} */
                        code?: "unauthenticated";
                    };
                    /**
                     * @example {
                     *       "message": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `api_key_in_browser` (api key in a browser), `end_user` (end user), `operation_not_allowed` (operation not permitted), `deployment_forbidden` (no access to the deployment), API Gateway's `Forbidden`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 403;
                        /** @enum {unknown} */
                        code?: "api_key_in_browser" | "end_user" | "operation_not_allowed" | "deployment_forbidden";
                    };
                    /**
                     * @example {
                     *       "message": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `deployment_not_found` (no such deployment), API Gateway's `Not Found`. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 404;
                        /** @enum {unknown} */
                        code?: "deployment_not_found";
                    };
                    /**
                     * @example {
                     *       "message": "Not Found"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description API Gateway's `Too Many Requests`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Too Many Requests"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description API Gateway's `Request Header Fields Too Large`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Request Header Fields Too Large"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `internal_error` (internal error), API Gateway's `Internal Server Error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 500;
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                    /**
                     * @example {
                     *       "message": "Internal Server Error"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `issuer_unavailable` (issuer unavailable), `database_unavailable` (temporarily unavailable), API Gateway's `Service Unavailable`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 503;
                        /** @enum {unknown} */
                        code?: "issuer_unavailable" | "database_unavailable";
                    };
                    /**
                     * @example {
                     *       "message": "Service Unavailable"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
        };
    };
    listNotifications: {
        parameters: {
            query?: {
                /**
                 * @description How many items a page has: 100 by default, at most 200. A larger number gives 200.
                 * @example 50
                 */
                first?: number;
                /** @description The `pageInfo.endCursor` of the previous page of this list with these filters. Cursors are opaque. */
                after?: string;
                /** @description Only notifications of this dashboard. */
                dashboardId?: number;
                /** @description Only those of the dashboard with this public id. */
                dashboardPublicId?: string;
                /** @description Only notifications that this user receives. */
                recipientUserId?: number;
                /** @description Only those of the user with this address, in any case of letters. */
                recipientEmail?: string;
                /** @description Only those of an embed user of this tenant. Needs `recipientExternalId`. */
                recipientEmbedTenantName?: string;
                /** @description Only those of the embed user with this external id. Needs `recipientEmbedTenantName`. */
                recipientExternalId?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The deployment. A deployment of another account gives 404, as an unknown one does.
                 * @example 1001
                 */
                deploymentId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of scheduled notifications. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: "no-store";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Notification"][];
                        pageInfo: components["schemas"]["PageInfo"];
                    };
                };
            };
            /** @description `invalid_parameter` (invalid parameter), `invalid_cursor` (invalid cursor), API Gateway's `Bad Request`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 400;
                        /** @enum {unknown} */
                        code?: "invalid_parameter" | "invalid_cursor";
                    };
                    /**
                     * @example {
                     *       "message": "Bad Request"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `unauthenticated` (not authenticated), API Gateway's `Unauthorized`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 401;
                        /** @enum {unknown} */
                        code?: "unauthenticated";
                    };
                    /**
                     * @example {
                     *       "message": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `api_key_in_browser` (api key in a browser), `end_user` (end user), `operation_not_allowed` (operation not permitted), `deployment_forbidden` (no access to the deployment), API Gateway's `Forbidden`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 403;
                        /** @enum {unknown} */
                        code?: "api_key_in_browser" | "end_user" | "operation_not_allowed" | "deployment_forbidden";
                    };
                    /**
                     * @example {
                     *       "message": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `deployment_not_found` (no such deployment), API Gateway's `Not Found`. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 404;
                        /** @enum {unknown} */
                        code?: "deployment_not_found";
                    };
                    /**
                     * @example {
                     *       "message": "Not Found"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description API Gateway's `Too Many Requests`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Too Many Requests"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description API Gateway's `Request Header Fields Too Large`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Request Header Fields Too Large"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `internal_error` (internal error), API Gateway's `Internal Server Error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 500;
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                    /**
                     * @example {
                     *       "message": "Internal Server Error"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `issuer_unavailable` (issuer unavailable), `database_unavailable` (temporarily unavailable), API Gateway's `Service Unavailable`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 503;
                        /** @enum {unknown} */
                        code?: "issuer_unavailable" | "database_unavailable";
                    };
                    /**
                     * @example {
                     *       "message": "Service Unavailable"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
        };
    };
    listWorkbookEmbedTenants: {
        parameters: {
            query?: {
                /**
                 * @description How many items a page has: 100 by default, at most 200. A larger number gives 200.
                 * @example 50
                 */
                first?: number;
                /** @description The `pageInfo.endCursor` of the previous page of this list with these filters. Cursors are opaque. */
                after?: string;
                /** @description Only this embed tenant, with the explanation. In any case. */
                embedTenantName?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The deployment. A deployment of another account gives 404, as an unknown one does.
                 * @example 1001
                 */
                deploymentId: number;
                /**
                 * @description The workbook. One of another deployment gives 404, as an unknown one does.
                 * @example 5001
                 */
                workbookId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of those who can see the workbook. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: "no-store";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["EmbedAccess"][];
                        pageInfo: components["schemas"]["PageInfo"];
                        explanation?: components["schemas"]["AccessExplanation"];
                    };
                };
            };
            /** @description `invalid_parameter` (invalid parameter), `invalid_cursor` (invalid cursor), API Gateway's `Bad Request`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 400;
                        /** @enum {unknown} */
                        code?: "invalid_parameter" | "invalid_cursor";
                    };
                    /**
                     * @example {
                     *       "message": "Bad Request"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `unauthenticated` (not authenticated), API Gateway's `Unauthorized`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 401;
                        /** @enum {unknown} */
                        code?: "unauthenticated";
                    };
                    /**
                     * @example {
                     *       "message": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `api_key_in_browser` (api key in a browser), `end_user` (end user), `operation_not_allowed` (operation not permitted), `admin_required` (admin required), `deployment_forbidden` (no access to the deployment), API Gateway's `Forbidden`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 403;
                        /** @enum {unknown} */
                        code?: "api_key_in_browser" | "end_user" | "operation_not_allowed" | "admin_required" | "deployment_forbidden";
                    };
                    /**
                     * @example {
                     *       "message": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `deployment_not_found` (no such deployment), `workbook_not_found` (no such workbook), `embed_tenant_not_found` (no such embed tenant), API Gateway's `Not Found`. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 404;
                        /** @enum {unknown} */
                        code?: "deployment_not_found" | "workbook_not_found" | "embed_tenant_not_found";
                    };
                    /**
                     * @example {
                     *       "message": "Not Found"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description API Gateway's `Too Many Requests`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Too Many Requests"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description API Gateway's `Request Header Fields Too Large`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Request Header Fields Too Large"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `internal_error` (internal error), API Gateway's `Internal Server Error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 500;
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                    /**
                     * @example {
                     *       "message": "Internal Server Error"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `issuer_unavailable` (issuer unavailable), `database_unavailable` (temporarily unavailable), API Gateway's `Service Unavailable`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 503;
                        /** @enum {unknown} */
                        code?: "issuer_unavailable" | "database_unavailable";
                    };
                    /**
                     * @example {
                     *       "message": "Service Unavailable"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
        };
    };
    listEmbedTenants: {
        parameters: {
            query?: {
                /**
                 * @description How many items a page has: 100 by default, at most 200. A larger number gives 200.
                 * @example 50
                 */
                first?: number;
                /** @description The `pageInfo.endCursor` of the previous page of this list with these filters. Cursors are opaque. */
                after?: string;
                /** @description Only tenants whose names begin with this, in any case of letters. */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of embed tenants. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: "no-store";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["EmbedTenant"][];
                        pageInfo: components["schemas"]["PageInfo"];
                    };
                };
            };
            /** @description `invalid_parameter` (invalid parameter), `invalid_cursor` (invalid cursor), API Gateway's `Bad Request`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 400;
                        /** @enum {unknown} */
                        code?: "invalid_parameter" | "invalid_cursor";
                    };
                    /**
                     * @example {
                     *       "message": "Bad Request"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `unauthenticated` (not authenticated), API Gateway's `Unauthorized`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 401;
                        /** @enum {unknown} */
                        code?: "unauthenticated";
                    };
                    /**
                     * @example {
                     *       "message": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `api_key_in_browser` (api key in a browser), `end_user` (end user), `operation_not_allowed` (operation not permitted), `admin_required` (admin required), `deployment_forbidden` (no access to the deployment), API Gateway's `Forbidden`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 403;
                        /** @enum {unknown} */
                        code?: "api_key_in_browser" | "end_user" | "operation_not_allowed" | "admin_required" | "deployment_forbidden";
                    };
                    /**
                     * @example {
                     *       "message": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description API Gateway's `Too Many Requests`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Too Many Requests"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description API Gateway's `Request Header Fields Too Large`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Request Header Fields Too Large"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `internal_error` (internal error), API Gateway's `Internal Server Error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 500;
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                    /**
                     * @example {
                     *       "message": "Internal Server Error"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `issuer_unavailable` (issuer unavailable), `database_unavailable` (temporarily unavailable), API Gateway's `Service Unavailable`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 503;
                        /** @enum {unknown} */
                        code?: "issuer_unavailable" | "database_unavailable";
                    };
                    /**
                     * @example {
                     *       "message": "Service Unavailable"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
        };
    };
    getKeySet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key set. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: "public, max-age=300";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeySet"];
                };
            };
            /** @description API Gateway's `Bad Request`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Bad Request"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description API Gateway's `Too Many Requests`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Too Many Requests"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description API Gateway's `Request Header Fields Too Large`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Request Header Fields Too Large"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `internal_error` (internal error), API Gateway's `Internal Server Error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 500;
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                    /**
                     * @example {
                     *       "message": "Internal Server Error"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `database_unavailable` (temporarily unavailable), API Gateway's `Service Unavailable`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 503;
                        /** @enum {unknown} */
                        code?: "database_unavailable";
                    };
                    /**
                     * @example {
                     *       "message": "Service Unavailable"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
        };
    };
    getEmbedRevocations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/jwt": string;
                };
            };
            /** @description The caller already has the newest answer. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: string;
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description API Gateway's `Bad Request`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Bad Request"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description API Gateway's `Too Many Requests`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Too Many Requests"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description API Gateway's `Request Header Fields Too Large`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Request Header Fields Too Large"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `internal_error` (internal error), API Gateway's `Internal Server Error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 500;
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                    /**
                     * @example {
                     *       "message": "Internal Server Error"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `database_unavailable` (temporarily unavailable), API Gateway's `Service Unavailable`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 503;
                        /** @enum {unknown} */
                        code?: "database_unavailable";
                    };
                    /**
                     * @example {
                     *       "message": "Service Unavailable"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
        };
    };
    getSpec: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: "public, max-age=300";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        openapi: string;
                        info: {
                            [key: string]: unknown;
                        };
                        paths: {
                            [key: string]: unknown;
                        };
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description API Gateway's `Bad Request`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Bad Request"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description API Gateway's `Too Many Requests`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Too Many Requests"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description API Gateway's `Request Header Fields Too Large`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Request Header Fields Too Large"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `internal_error` (internal error), API Gateway's `Internal Server Error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 500;
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                    /**
                     * @example {
                     *       "message": "Internal Server Error"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description API Gateway's `Service Unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Service Unavailable"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
        };
    };
    getErrorReference: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    /** @description How long the answer may be kept. */
                    "Cache-Control"?: "public, max-age=300";
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description API Gateway's `Bad Request`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Bad Request"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description API Gateway's `Too Many Requests`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Too Many Requests"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description API Gateway's `Request Header Fields Too Large`. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Request Header Fields Too Large"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description `internal_error` (internal error), API Gateway's `Internal Server Error`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] & {
                        /** @enum {integer} */
                        status?: 500;
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                    /**
                     * @example {
                     *       "message": "Internal Server Error"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
            /** @description API Gateway's `Service Unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Service Unavailable"
                     *     }
                     */
                    "application/json": components["schemas"]["GatewayError"];
                };
            };
        };
    };
}
