/** As wide as the widest time, so that lines break alike whatever the time is, and before it is known. */
export const timeStyles = "inline-block min-w-60";
