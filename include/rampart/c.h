/* Rampart learns classifiers that know when not to answer.  This is its C API.
 *
 *   rampart_data     rows, viewed where they lie, with labels and what else belongs to them
 *   rampart_options  options of a training, by name and as text, as the command has them
 *   rampart_run      a training, or a search for good options, and its report
 *   rampart_model    a trained classifier, for many threads at once
 *
 * tests/c/manual.c is a program that uses all of it.
 *
 * Errors.  A function that can fail returns a rampart_code and, unless `error` is NULL, puts an
 * object there that says what is wrong and must be freed; after RAMPART_OK it puts NULL.  Whatever
 * the function should have made is then NULL or untouched.  No exception leaves the library, and it
 * never prints or exits.
 *
 * Handles.  rampart_..._free() takes the address of a handle, frees what it refers to and sets it to
 * NULL; NULL is freed by doing nothing.  A handle that is NULL or of another kind is answered with
 * RAMPART_BAD_CALL.
 *
 * Threads.  There is no global state.  Different handles can be used by different threads.  A model
 * can be used by many threads at once; data, options and a run by many that only read them.
 *
 * Text is UTF-8 and ends with a zero byte.  What a handle hands out (text, arrays) belongs to it and
 * lives as long as it does.
 *
 * Versions.  Functions are added, not changed, as long as RAMPART_C_API stays the same.  A structure
 * begins with its size, which its maker sets, so that it can grow.
 */
#ifndef RAMPART_C_H
#define RAMPART_C_H

#include <stddef.h>
#include <stdint.h>

/* NOLINTBEGIN(readability-identifier-naming, modernize-use-using): names and types of C */

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define RAMPART_EXPORT __attribute__((visibility("default")))
#else
#define RAMPART_EXPORT
#endif

#define RAMPART_C_API 1

/* RAMPART_C_API of the library, and its version: "0.1.0". */
RAMPART_EXPORT int rampart_c_api(void);
RAMPART_EXPORT const char* rampart_version(void);

/* ---- Errors ---------------------------------------------------------------------------------- */

typedef enum rampart_code {
  RAMPART_OK = 0,
  RAMPART_BAD_INPUT = 1,  /* data that cannot be used */
  RAMPART_BAD_OPTION = 2, /* an option that is not there, or out of its range */
  RAMPART_BAD_MODEL = 3,  /* a model that is damaged, too new, or does not fit the data */
  RAMPART_CANCELLED = 4,  /* the observer said so */
  RAMPART_NO_MEMORY = 5,
  RAMPART_BAD_CALL = 6,   /* NULL, a freed handle, one of another kind, or arguments at odds */
  RAMPART_BROKEN = 7      /* a fault of this library */
} rampart_code;

typedef struct rampart_error rampart_error;

/* What is wrong, in words for a user: "C = -1: must be > 0". */
RAMPART_EXPORT const char* rampart_error_message(const rampart_error* error);
RAMPART_EXPORT rampart_code rampart_error_code(const rampart_error* error);
/* The option that the message advises to change, by its name; "" if it advises none. */
RAMPART_EXPORT const char* rampart_error_option(const rampart_error* error);
RAMPART_EXPORT void rampart_error_free(rampart_error** error);

/* ---- Options --------------------------------------------------------------------------------- */

typedef struct rampart_options rampart_options;

/* Options of rampart_train(), or of rampart_tune(), where C, gamma, mu and training-cost are lists
 * to choose from ("0.5,1,2" or "1:9:2"). All have the defaults of the command. */
RAMPART_EXPORT rampart_code rampart_options_for_training(rampart_options** options,
                                                         rampart_error** error);
RAMPART_EXPORT rampart_code rampart_options_for_tuning(rampart_options** options,
                                                       rampart_error** error);
/* Sets one, by the name and with the text that the command takes: ("reject-cost", "0.1"). What only
 * shows together with others is refused by rampart_train(). */
RAMPART_EXPORT rampart_code rampart_options_set(rampart_options* options, const char* name,
                                                const char* value, rampart_error** error);
RAMPART_EXPORT void rampart_options_free(rampart_options** options);

/* The table of all options, which the command's help shows too: its number of rows, and a cell by
 * the name of its column. Columns: "name", "value" (what a value looks like), "default", "group",
 * "about", "larger" (what larger values do; "" where they have no order), "use" ("training", or
 * "tuning" for rampart_tune() alone). NULL for a cell that is not there. */
RAMPART_EXPORT size_t rampart_option_count(void);
RAMPART_EXPORT const char* rampart_option_text(size_t row, const char* column);

/* ---- Data ------------------------------------------------------------------------------------ */

typedef struct rampart_data rampart_data;

typedef enum rampart_type {
  RAMPART_FLOAT32 = 0,
  RAMPART_FLOAT64 = 1,
  RAMPART_INT32 = 2,
  RAMPART_INT64 = 3,
  RAMPART_TYPE_LIMIT = 0x7fffffff /* no type: makes a wrong one an error, and not undefined */
} rampart_type;

/* Dense rows of RAMPART_FLOAT32 or RAMPART_FLOAT64. Column j of row n is
 * values[n * row_stride + j * column_stride]; strides count values. Missing values are NaN.
 *
 * The values are viewed, and must outlive the data, if columns are neighbours (column_stride is 1)
 * and rows do not overlap (row_stride >= columns). Other values are copied here. */
RAMPART_EXPORT rampart_code rampart_data_dense(const void* values, rampart_type type, size_t rows,
                                               size_t columns, ptrdiff_t row_stride,
                                               ptrdiff_t column_stride, rampart_data** data,
                                               rampart_error** error);

/* Compressed sparse rows: row n has values[k] in column indices[k], for k = starts[n] ...
 * starts[n + 1] - 1. Starts and indices are RAMPART_INT32 or RAMPART_INT64, values RAMPART_FLOAT32 or
 * RAMPART_FLOAT64. The indices of a row increase. All three are viewed and must outlive the data. */
RAMPART_EXPORT rampart_code rampart_data_csr(const void* starts, const void* indices,
                                             rampart_type index_type, const void* values,
                                             rampart_type type, size_t rows, size_t columns,
                                             rampart_data** data, rampart_error** error);

/* Labels: -1 or 1 for each row, viewed; and the names of the two classes. */
RAMPART_EXPORT rampart_code rampart_data_set_labels(rampart_data* data, const int8_t* labels,
                                                    const char* negative, const char* positive,
                                                    rampart_error** error);
/* How much each row counts: finite and >= 0, viewed. NULL: all count 1. */
RAMPART_EXPORT rampart_code rampart_data_set_weights(rampart_data* data, const double* weights,
                                                     rampart_error** error);
/* Who each row belongs to: rows of a group are never on both sides of a fold. Copied. NULL: none. */
RAMPART_EXPORT rampart_code rampart_data_set_groups(rampart_data* data, const int64_t* groups,
                                                    rampart_error** error);
/* A name for each column. Copied. */
RAMPART_EXPORT rampart_code rampart_data_set_names(rampart_data* data, const char* const* names,
                                                   rampart_error** error);
/* Column `column` (from 0) of dense rows holds categories: 0 stands for categories[0], and so on;
 * -1 for a category that is not in the list. Copied. Rows to predict may have other lists than the
 * model, or none: then the numbers are places in the model's. */
RAMPART_EXPORT rampart_code rampart_data_set_categories(rampart_data* data, size_t column,
                                                        const char* const* categories, size_t count,
                                                        rampart_error** error);
/* What a cell of text is that a person reads as a number, and that would be a useless category: "a
 * percentage", "a number with a comma", "an amount of money", "a date", "a time". "" for any other
 * text. The command refuses such cells where a column is not said to hold categories. */
RAMPART_EXPORT const char* rampart_number_like(const char* text);
RAMPART_EXPORT void rampart_data_free(rampart_data** data);

/* ---- Training -------------------------------------------------------------------------------- */

typedef struct rampart_model rampart_model;
typedef struct rampart_run rampart_run;

typedef struct rampart_progress {
  size_t size;      /* of this structure */
  uint64_t round;   /* convex rounds begun; 0 in rampart_tune() */
  uint64_t steps;   /* of this round */
  double violation; /* of the optimality conditions; the round ends at the tolerance */
  double objective; /* after the last complete round; NaN in the first */
  uint64_t done;    /* rampart_tune(): trainings that are done, of so many */
  uint64_t of;
} rampart_progress;

enum {
  RAMPART_GO_ON = 0,
  RAMPART_STOP = 1,   /* training: end with the best model so far, whose status is "cancelled" */
  RAMPART_ABANDON = 2 /* end at once with RAMPART_CANCELLED; rampart_tune() knows no other end */
};

/* Called from time to time by the calling thread, or in rampart_tune() by any, one at a time. */
typedef int (*rampart_observer)(const rampart_progress* progress, void* user);

/* Trains on labelled data. `observer` may be NULL, and so may `start`, a model of the same classes
 * and columns to start from. The same data and options as the command's give the same bits. */
RAMPART_EXPORT rampart_code rampart_train(const rampart_data* data, const rampart_options* options,
                                          const rampart_model* start, rampart_observer observer,
                                          void* user, rampart_run** run, rampart_error** error);

/* Cross-validates every point of a grid on the same folds, and trains on all rows with the best. */
RAMPART_EXPORT rampart_code rampart_tune(const rampart_data* data, const rampart_options* options,
                                         rampart_observer observer, void* user, rampart_run** run,
                                         rampart_error** error);

/* How it went, as JSON: the keys of `rampart train --json`; those of a search are in docs/c.md. */
RAMPART_EXPORT const char* rampart_run_json(const rampart_run* run);

/* Numbers of a run by name, for each training row: "scores" (f(x); NaN for rows that were dropped). */
RAMPART_EXPORT rampart_code rampart_run_numbers(const rampart_run* run, const char* name,
                                                const double** values, size_t* count,
                                                rampart_error** error);
/* Whole numbers of a run by name: "support" (which rows are the vectors of the model; none for linear
 * models). */
RAMPART_EXPORT rampart_code rampart_run_whole_numbers(const rampart_run* run, const char* name,
                                                      const int64_t** values, size_t* count,
                                                      rampart_error** error);
/* For each row the part of the double ramp loss that it lies on: 0 safe, 1 margin, 2 plateau, 3 near
 * miss, 4 ignored outlier; -1 for rows that were dropped. Other losses have no zones: the count is
 * 0. */
RAMPART_EXPORT rampart_code rampart_run_zones(const rampart_run* run, const int8_t** zones,
                                              size_t* count, rampart_error** error);
/* The model, as a handle of its own. It answers on at most so many threads; 0: all. */
RAMPART_EXPORT rampart_code rampart_run_model(const rampart_run* run, unsigned threads,
                                              rampart_model** model, rampart_error** error);
RAMPART_EXPORT void rampart_run_free(rampart_run** run);

/* ---- Models ---------------------------------------------------------------------------------- */

/* A model from the bytes of a model file, whoever wrote it: this library or the command. */
RAMPART_EXPORT rampart_code rampart_model_load(const void* bytes, size_t size, unsigned threads,
                                               rampart_model** model, rampart_error** error);
/* The bytes of the model file. They end with a zero byte that is not counted. */
RAMPART_EXPORT rampart_code rampart_model_bytes(const rampart_model* model, const char** bytes,
                                                size_t* size, rampart_error** error);

/* The model without its vectors, weights and coefficients, as JSON: docs/c.md has the keys. */
RAMPART_EXPORT const char* rampart_model_json(const rampart_model* model);

/* Numbers of a model by name: "weights" (linear: one per feature, after scaling), "coefficients" (one
 * per vector), "vectors" (scaled, row after row; of sparse vectors the values that are stored),
 * "offset" and "factor" (of the scaling, one per feature; none without scaling). */
RAMPART_EXPORT rampart_code rampart_model_numbers(const rampart_model* model, const char* name,
                                                  const double** values, size_t* count,
                                                  rampart_error** error);
/* Whole numbers of a model by name: "starts" and "indices" of sparse vectors, as in
 * rampart_data_csr(); none for dense ones. */
RAMPART_EXPORT rampart_code rampart_model_whole_numbers(const rampart_model* model, const char* name,
                                                        const int64_t** values, size_t* count,
                                                        rampart_error** error);

/* f(x) of every row. RAMPART_BAD_INPUT names the first row of which it cannot be computed. */
RAMPART_EXPORT rampart_code rampart_model_scores(const rampart_model* model,
                                                 const rampart_data* data, double* scores,
                                                 rampart_error** error);

/* Why a row gets no answer. */
enum {
  RAMPART_ANSWERED = 0,
  RAMPART_AMBIGUOUS = 1,  /* f(x) lies in the band */
  RAMPART_UNFAMILIAR = 2, /* unlike the training rows */
  RAMPART_INCOMPLETE = 3, /* a value is missing that no training row missed */
  RAMPART_UNSEEN = 4,     /* a category that no training row has */
  RAMPART_UNREADABLE = 5
};
/* Rows that a model could answer but, unless told to, does not. */
enum {
  RAMPART_IMPUTE = 1,       /* incomplete rows: fill in the median of training, and answer */
  RAMPART_IGNORE_UNSEEN = 2 /* unseen categories: answer without them */
};

/* For each row the decision (-1, 1, or 0 for no answer), why there is no answer, the column that this
 * is about (from 0; -1 if it is about none), and f(x) (NaN where it cannot be computed). Arrays of one
 * value per row; each may be NULL. `leniency` is a sum of RAMPART_IMPUTE and
 * RAMPART_IGNORE_UNSEEN. */
RAMPART_EXPORT rampart_code rampart_model_answers(const rampart_model* model,
                                                  const rampart_data* data, unsigned leniency,
                                                  int8_t* decisions, int8_t* reasons,
                                                  int64_t* columns, double* scores,
                                                  rampart_error** error);

/* The reason for one row in words, "unfamiliar: column 'age' is 1000; training: 18 to 79"; "" for an
 * answer. At most `size` bytes of it are written, the last of them zero; `needed` (may be NULL) is
 * how many it takes. */
RAMPART_EXPORT rampart_code rampart_model_reason(const rampart_model* model,
                                                 const rampart_data* data, size_t row,
                                                 unsigned leniency, char* text, size_t size,
                                                 size_t* needed, rampart_error** error);

RAMPART_EXPORT void rampart_model_free(rampart_model** model);

#ifdef __cplusplus
}
#endif

/* NOLINTEND(readability-identifier-naming, modernize-use-using) */

#endif
