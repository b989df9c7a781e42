/** Lists the error types of the API with the status each is sent with (SDK 1.12.0, vendor's errors page). */
const statusOfErrorType = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  conflict_error: 409,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
} as const;

export type ApiErrorType = keyof typeof statusOfErrorType;

/** An answer that rejects a request. */
export interface ApiError {
  readonly status: number;
  readonly type: ApiErrorType;
  readonly message: string;
}

/** Makes an error with the status of its type. */
export function apiError(type: ApiErrorType, message: string): ApiError {
  return { status: statusOfErrorType[type], type, message };
}

/** Makes the error that rejects an invalid body or header. */
export function invalid(message: string): ApiError {
  return apiError('invalid_request_error', message);
}

/** Returns the error type that the API sends with a status, for faults that give only a status. */
export function errorTypeOfStatus(status: number): ApiErrorType {
  for (const [type, itsStatus] of Object.entries(statusOfErrorType)) {
    if (itsStatus === status) return type as ApiErrorType;
  }
  return status < 500 ? 'invalid_request_error' : 'api_error';
}

/** Builds the JSON body of an error answer or of an error event inside a stream. */
export function errorBody(error: ApiError, requestId: string): object {
  return {
    type: 'error',
    error: { type: error.type, message: error.message },
    request_id: requestId,
  };
}
