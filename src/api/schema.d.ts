export interface paths {
    "/api/v1/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Projects
         * @description Lists the projects that the token can access.
         */
        get: operations["listProjects"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project_id}/posts": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the project. */
                project_id: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * List Posts
         * @description Lists one page of the project's posts. Both bounds of the schedule range are inclusive.
         */
        get: operations["listPosts"];
        put?: never;
        /**
         * Create Post
         * @description Creates a post, as a draft or scheduled.
         */
        post: operations["createPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project_id}/users/invite": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the project. */
                project_id: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add Non Platform User To Project
         * @description Invites a person, who doesn't need a platform account.
         */
        post: operations["addNonPlatformUserToProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project_id}/users/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the project. */
                project_id: components["parameters"]["ProjectId"];
                /** @description Identifier of the user in the project. */
                user_id: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Update Project User
         * @description Changes a person's role and status in the project.
         */
        put: operations["updateProjectUser"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project_id}/prompts": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the project. */
                project_id: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create Prompt
         * @description Creates a text prompt that posts can reference.
         */
        post: operations["createPrompt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project_id}/templates": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the project. */
                project_id: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * List Templates
         * @description Lists the project's templates.
         */
        get: operations["listTemplates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project_id}/templates/{template_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the project. */
                project_id: components["parameters"]["ProjectId"];
                /** @description Identifier of the template. */
                template_id: components["parameters"]["TemplateId"];
            };
            cookie?: never;
        };
        /**
         * Get Template
         * @description Returns one template.
         */
        get: operations["getTemplate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project_id}/sources": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the project. */
                project_id: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * List Sources
         * @description Lists the project's sources.
         */
        get: operations["listSources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project_id}/sources/{source_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the project. */
                project_id: components["parameters"]["ProjectId"];
                /** @description Identifier of the source. */
                source_id: components["parameters"]["SourceId"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Update Source
         * @description Changes a source's description and value.
         */
        put: operations["updateSource"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project_id}/logs": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the project. */
                project_id: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * List Logs
         * @description Lists the project's logs.
         */
        get: operations["listLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project_id}/dashboard/upnext-post": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the project. */
                project_id: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * Get Upnext Post
         * @description Returns the next post to go out.
         */
        get: operations["getUpnextPost"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project_id}/webhook": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the project. */
                project_id: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete Webhook
         * @description Deletes the project's webhook. This API can't create it again.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/common/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete File
         * @description Deletes a file. How the file is selected isn't known.
         */
        delete: operations["deleteFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The envelope of every success. */
        ServerResponse: {
            /** @description Payload of the operation, any JSON value or null. Its shape isn't known. */
            data?: unknown;
            /** @description True if the operation succeeded. */
            success: boolean;
        };
        /** @description Body of a 422 response. */
        HTTPValidationError: {
            /** @description The problems of the request. */
            detail?: components["schemas"]["ValidationError"][];
        };
        /** @description One problem of the request. */
        ValidationError: {
            /** @description Path to the invalid value, for example body, then Content. */
            loc: (string | number)[];
            /** @description Error message. */
            msg: string;
            /** @description Error type. */
            type: string;
        };
        /** @description The body of this error isn't described. It can be anything. */
        UndescribedError: unknown;
        /**
         * @description A social platform.
         * @enum {string}
         */
        Platform: "INSTAGRAM" | "FACEBOOK" | "LINKEDIN" | "X" | "YOUTUBE" | "TIKTOK" | "PINTEREST" | "REDDIT" | "TELEGRAM" | "THREADS";
        /** @description A post to create. Which fields are required isn't known. */
        Post: {
            /** @description Post text. */
            Content?: string;
            /** @description Media reference. */
            Media?: string;
            /** @description Identifier of a template. */
            TemplateId?: string;
            /** @description Identifier of a prompt. */
            PromptId?: string;
            /**
             * Format: date-time
             * @description When the post is scheduled (ISO 8601).
             * @example 2026-12-01T09:00:00+01:00
             */
            ScheduleDate?: string;
            /**
             * @description Time zone of the schedule.
             * @example Europe/Berlin
             */
            Timezone?: string;
            /** @description Platforms on which the post is published. */
            Platforms?: components["schemas"]["Platform"][];
            /**
             * @description DRAFT is a known value. The filter of List Posts also names SCHEDULED and PUBLISHED.
             * @example DRAFT
             * @example SCHEDULED
             * @example PUBLISHED
             */
            Status?: string;
        };
        /** @description A person to invite to a project. Which fields are required isn't known. */
        ProjectUserInvitation: {
            /** @description First name. */
            FirstName?: string;
            /** @description Last name. */
            LastName?: string;
            /**
             * Format: email
             * @description E-mail address.
             */
            Email?: string;
            /** @description Phone number. According to a public page of this API it can be null. */
            PhoneNumber?: string | null;
            /**
             * @description ADMIN is a known value. Other values aren't known.
             * @example ADMIN
             */
            Role?: string;
            /**
             * @description ACTIVE is a known value. Other values aren't known.
             * @example ACTIVE
             */
            Status?: string;
        };
        /** @description Changes to a person in a project. */
        ProjectUserUpdate: {
            /**
             * @description ADMIN is a known value. Other values aren't known.
             * @example ADMIN
             */
            Role?: string;
            /**
             * @description ACTIVE is a known value. Other values aren't known.
             * @example ACTIVE
             */
            Status?: string;
        };
        /** @description A prompt to create. Which fields are required isn't known. */
        Prompt: {
            /** @description Title. */
            Title?: string;
            /** @description Text of the prompt. */
            PromptText?: string;
            /** @description Purpose of the prompt. */
            Description?: string;
        };
        /** @description Changes to a source. */
        SourceUpdate: {
            /** @description Description of the source. */
            Description?: string;
            /** @description Contains the source's value in its only known field. */
            Source?: {
                /** @description The source's value. */
                Source?: string;
            };
        };
    };
    responses: {
        /** @description Success. The exact status is known only for List Posts (200). */
        Success: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ServerResponse"];
            };
        };
        /** @description The request is invalid, and nothing was changed. */
        ValidationFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["HTTPValidationError"];
            };
        };
        /** @description The token is missing or invalid. The service doesn't describe this status; the practice service can return it. */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UndescribedError"];
            };
        };
        /** @description The token doesn't permit this. The service doesn't describe this status; the practice service can return it. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UndescribedError"];
            };
        };
        /** @description One of the identifiers doesn't exist. The service doesn't describe this status; the practice service can return it. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UndescribedError"];
            };
        };
        /** @description The body is too large. The service doesn't describe this status; the practice service can return it. */
        TooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UndescribedError"];
            };
        };
        /** @description The body isn't JSON. The service doesn't describe this status; the practice service can return it. */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UndescribedError"];
            };
        };
        /** @description Too many requests. Retry-After may say when to retry. The service doesn't describe this status; the practice service can return it. */
        TooManyRequests: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UndescribedError"];
            };
        };
    };
    parameters: {
        /** @description Identifier of the project. */
        ProjectId: string;
        /** @description Identifier of the user in the project. */
        UserId: string;
        /** @description Identifier of the template. */
        TemplateId: string;
        /** @description Identifier of the source. */
        SourceId: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listProjects: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            "2XX": components["responses"]["Success"];
        };
    };
    listPosts: {
        parameters: {
            query?: {
                /** @description Number of items to skip. */
                skip?: number;
                /** @description Page size. The maximum isn't known. */
                limit?: number;
                /** @description Start of the ScheduleDate range, inclusive. */
                schedule_date_from?: string | null;
                /** @description End of the ScheduleDate range, inclusive. */
                schedule_date_to?: string | null;
                /** @description Filter by platform, for example INSTAGRAM or FACEBOOK. Repeat it for several values. */
                platforms?: string[] | null;
                /** @description Filter by status, for example DRAFT, SCHEDULED or PUBLISHED. Repeat it for several values. */
                status?: string[] | null;
            };
            header?: never;
            path: {
                /** @description Identifier of the project. */
                project_id: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Success"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    createPost: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the project. */
                project_id: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Post"];
            };
        };
        responses: {
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            "2XX": components["responses"]["Success"];
        };
    };
    addNonPlatformUserToProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the project. */
                project_id: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectUserInvitation"];
            };
        };
        responses: {
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            "2XX": components["responses"]["Success"];
        };
    };
    updateProjectUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the project. */
                project_id: components["parameters"]["ProjectId"];
                /** @description Identifier of the user in the project. */
                user_id: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectUserUpdate"];
            };
        };
        responses: {
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            "2XX": components["responses"]["Success"];
        };
    };
    createPrompt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the project. */
                project_id: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Prompt"];
            };
        };
        responses: {
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            "2XX": components["responses"]["Success"];
        };
    };
    listTemplates: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the project. */
                project_id: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            "2XX": components["responses"]["Success"];
        };
    };
    getTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the project. */
                project_id: components["parameters"]["ProjectId"];
                /** @description Identifier of the template. */
                template_id: components["parameters"]["TemplateId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            "2XX": components["responses"]["Success"];
        };
    };
    listSources: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the project. */
                project_id: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            "2XX": components["responses"]["Success"];
        };
    };
    updateSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the project. */
                project_id: components["parameters"]["ProjectId"];
                /** @description Identifier of the source. */
                source_id: components["parameters"]["SourceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SourceUpdate"];
            };
        };
        responses: {
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            "2XX": components["responses"]["Success"];
        };
    };
    listLogs: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the project. */
                project_id: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            "2XX": components["responses"]["Success"];
        };
    };
    getUpnextPost: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the project. */
                project_id: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            "2XX": components["responses"]["Success"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the project. */
                project_id: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            "2XX": components["responses"]["Success"];
        };
    };
    deleteFile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            "2XX": components["responses"]["Success"];
        };
    };
}
