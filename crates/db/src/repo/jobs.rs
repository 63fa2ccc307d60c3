//! Background jobs: when each is due, and which instance runs it.

use diesel::dsl::case_when;
use diesel::prelude::{
    BoolExpressionMethods, ExpressionMethods, IntoSql, OptionalExtension, QueryDsl, Queryable,
    RunQueryDsl, Selectable, SelectableHelper,
};
use diesel::sql_types::Integer;

use ideavault_domain::Timestamp;
use ideavault_domain::ids::JobRunId;
use ideavault_domain::job::{JOB_LEASE, JobState, ScheduledJob};
use ideavault_domain::ports::{DatabaseError, JobSchedule, SET_BACK_MAX};

use super::Repository;
use super::schema::jobs;
use crate::error::QueryResult;
use crate::stored::{self, Time};

#[derive(Queryable, Selectable)]
#[diesel(table_name = jobs)]
struct JobRow {
    name: String,
    due_at: Time,
    last_success_at: Option<Time>,
    failures: i32,
}

impl JobRow {
    fn into_state(self) -> QueryResult<JobState> {
        Ok(JobState {
            job: stored::parsed("job", &self.name)?,
            due_at: self.due_at.into(),
            last_success: self.last_success_at.map(Into::into),
            failures: stored::required("failures", u32::try_from(self.failures).ok())?,
        })
    }
}

/// Returns the latest plausible `due_at` of a job. The clock of the server that wrote it may
/// be ahead.
fn latest_due(job: ScheduledJob, now: Timestamp) -> Timestamp {
    now + job.interval().max(JOB_LEASE) + SET_BACK_MAX
}

impl JobSchedule for Repository<'_> {
    fn is_job_due(&mut self, job: ScheduledJob, now: Timestamp) -> Result<bool, DatabaseError> {
        self.run("look up a job", |connection| {
            let due_at: Option<Time> = jobs::table
                .find(job.as_str())
                .select(jobs::due_at)
                .first(connection)
                .optional()?;
            let due_at = due_at.map(Timestamp::from);
            Ok(due_at.is_none_or(|due_at| due_at <= now || due_at > latest_due(job, now)))
        })
    }

    fn claim_job(
        &mut self,
        job: ScheduledJob,
        run: JobRunId,
        now: Timestamp,
    ) -> Result<Option<u32>, DatabaseError> {
        self.run("claim a job", |connection| {
            diesel::insert_into(jobs::table)
                .values((
                    jobs::name.eq(job.as_str()),
                    jobs::due_at.eq(now),
                    jobs::failures.eq(0),
                ))
                .on_conflict_do_nothing()
                .execute(connection)?;
            let is_due = jobs::due_at.le(now);
            let is_wrong = jobs::due_at.gt(latest_due(job, now));
            let claimed = jobs::table.find(job.as_str()).filter(is_due.or(is_wrong));
            // A run that is still there has stopped without an end.
            let abandoned = case_when(jobs::run_id.is_null(), 0.into_sql::<Integer>())
                .otherwise(1.into_sql::<Integer>());
            let failures: Option<i32> = diesel::update(claimed)
                .set((
                    jobs::failures.eq(jobs::failures + abandoned),
                    jobs::run_id.eq(run.to_string()),
                    jobs::due_at.eq(now + JOB_LEASE),
                ))
                .returning(jobs::failures)
                .get_result(connection)
                .optional()?;
            failures
                .map(|failures| stored::required("failures", u32::try_from(failures).ok()))
                .transpose()
        })
    }

    fn finish_job(&mut self, run: JobRunId, state: &JobState) -> Result<bool, DatabaseError> {
        self.run("finish a job", |connection| {
            let own = jobs::table
                .find(state.job.as_str())
                .filter(jobs::run_id.eq(run.to_string()));
            let finished = diesel::update(own)
                .set((
                    jobs::run_id.eq(None::<String>),
                    jobs::due_at.eq(state.due_at),
                    state.last_success.map(|at| jobs::last_success_at.eq(at)),
                    jobs::failures.eq(i32::try_from(state.failures).unwrap_or(i32::MAX)),
                ))
                .execute(connection)?;
            Ok(finished == 1)
        })
    }

    fn job_states(&mut self) -> Result<Vec<JobState>, DatabaseError> {
        self.run("list the jobs", |connection| {
            let rows = jobs::table
                .order(jobs::name)
                .select(JobRow::as_select())
                .load(connection)?;
            rows.into_iter().map(JobRow::into_state).collect()
        })
    }
}
