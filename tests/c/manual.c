/* The C API by example: trains, asks, saves, loads, tunes, and shows what errors look like.
 *
 *   cc -std=c11 manual.c -lrampart_c -lm && ./a.out
 *
 * It is a test too: it ends with 1 where the library does not do what is said here.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rampart/c.h"

/* Functions that can fail return a code, and say why in an object that must be freed. */
static void require(rampart_code code, rampart_error** error) {
  if (code == RAMPART_OK) return;
  fprintf(stderr, "error %d: %s\n", (int)code, rampart_error_message(*error));
  if (*rampart_error_option(*error) != '\0') {
    fprintf(stderr, "option %s might help\n", rampart_error_option(*error));
  }
  rampart_error_free(error);
  exit(1);
}

static void expect(int truth, const char* what) {
  if (truth) return;
  fprintf(stderr, "not so: %s\n", what);
  exit(1);
}

enum { ROWS = 200, COLUMNS = 2 };

/* Two noisy classes, apart in the first column. */
static void make_rows(double x[ROWS][COLUMNS], int8_t y[ROWS]) {
  unsigned long state = 1;
  for (int n = 0; n < ROWS; ++n) {
    double noise[COLUMNS];
    for (int j = 0; j < COLUMNS; ++j) {
      state = (state * 1103515245 + 12345) % 2147483648UL;
      noise[j] = (double)state / 2147483648.0 - 0.5;
    }
    y[n] = n % 2 == 0 ? 1 : -1;
    x[n][0] = 0.7 * y[n] + 3 * noise[0];
    x[n][1] = noise[1];
  }
}

/* Called from time to time; what it returns decides whether training goes on. */
static int watch(const rampart_progress* progress, void* user) {
  int* calls = user;
  ++*calls;
  expect(progress->size >= sizeof(rampart_progress), "the library knows all of rampart_progress");
  return RAMPART_GO_ON;
}

static int abandon(const rampart_progress* progress, void* user) {
  (void)progress;
  (void)user;
  return RAMPART_ABANDON;
}

static rampart_options* options_with(const char* const settings[][2], size_t count) {
  rampart_error* error = NULL;
  rampart_options* options = NULL;
  require(rampart_options_for_training(&options, &error), &error);
  for (size_t k = 0; k < count; ++k) {
    require(rampart_options_set(options, settings[k][0], settings[k][1], &error), &error);
  }
  return options;
}

static rampart_model* train(const rampart_data* data) {
  rampart_error* error = NULL;
  /* Names and texts are those of `rampart train --help`, without the dashes. */
  const char* const settings[][2] = {
      {"loss", "double-ramp"}, {"reject-cost", "0.2"}, {"kernel", "rbf"}, {"gamma", "0.5"}};
  rampart_options* options = options_with(settings, 4);

  int calls = 0;
  rampart_run* run = NULL;
  require(rampart_train(data, options, NULL, watch, &calls, &run, &error), &error);
  printf("%.60s...\n", rampart_run_json(run));
  printf("the observer was called %d times; short trainings may end before the first\n", calls);

  /* f(x) of the training rows, which of them are support vectors, and where they lie on the loss. */
  const double* scores = NULL;
  const int64_t* support = NULL;
  const int8_t* zones = NULL;
  size_t score_count = 0, support_count = 0, zone_count = 0;
  require(rampart_run_numbers(run, "scores", &scores, &score_count, &error), &error);
  require(rampart_run_whole_numbers(run, "support", &support, &support_count, &error), &error);
  require(rampart_run_zones(run, &zones, &zone_count, &error), &error);
  expect(score_count == ROWS && zone_count == ROWS, "a score and a zone for each row");
  expect(support_count > 0 && support_count <= ROWS, "some support vectors");

  rampart_model* model = NULL;
  require(rampart_run_model(run, 1, &model, &error), &error);
  rampart_run_free(&run); /* the model lives on */
  rampart_options_free(&options);
  expect(run == NULL && options == NULL, "freeing sets a handle to NULL");
  return model;
}

/* A model is a file's bytes: what is loaded answers with the same bits. */
static rampart_model* copy_of(const rampart_model* model) {
  rampart_error* error = NULL;
  const char* bytes = NULL;
  size_t size = 0;
  require(rampart_model_bytes(model, &bytes, &size, &error), &error);
  expect(strlen(bytes) == size, "a model file is text");
  rampart_model* copy = NULL;
  require(rampart_model_load(bytes, size, 1, &copy, &error), &error);
  return copy;
}

static void ask(const rampart_model* model) {
  rampart_error* error = NULL;
  /* Float32, and one row in every two: strides count values. */
  const float x[3][2 * COLUMNS] = {{2, 0, -1, -1}, {0, 0, -1, -1}, {900, 0, -1, -1}};
  rampart_data* rows = NULL;
  require(rampart_data_dense(x, RAMPART_FLOAT32, 3, COLUMNS, 2 * COLUMNS, 1, &rows, &error), &error);
  int8_t decisions[3], reasons[3];
  int64_t columns[3];
  double scores[3], again[3];
  require(rampart_model_answers(model, rows, 0, decisions, reasons, columns, scores, &error),
          &error);
  require(rampart_model_scores(model, rows, again, &error), &error);
  expect(memcmp(scores, again, sizeof(scores)) == 0, "both functions have the same scores");
  expect(decisions[0] == 1 && reasons[0] == RAMPART_ANSWERED, "a clear case is answered");
  expect(decisions[1] == 0 && reasons[1] == RAMPART_AMBIGUOUS, "a doubtful case is not");
  expect(decisions[2] == 0 && reasons[2] == RAMPART_UNFAMILIAR && columns[2] == 0,
         "nor is one unlike all others");

  char words[200];
  size_t needed = 0;
  require(rampart_model_reason(model, rows, 2, 0, words, sizeof(words), &needed, &error), &error);
  printf("row 3: %s\n", words);
  expect(needed == strlen(words) + 1, "the whole reason fits");

  /* The copy gives the same answers, and so do rows that are stored as sparse ones. */
  rampart_model* copy = copy_of(model);
  require(rampart_model_scores(copy, rows, again, &error), &error);
  expect(memcmp(scores, again, sizeof(scores)) == 0, "the copy has the same scores");
  rampart_data_free(&rows);
  const int64_t starts[] = {0, 1, 1, 2};
  const int64_t indices[] = {0, 0};
  const double values[] = {2, 900};
  require(rampart_data_csr(starts, indices, RAMPART_INT64, values, RAMPART_FLOAT64, 3, COLUMNS, &rows,
                           &error),
          &error);
  require(rampart_model_scores(copy, rows, again, &error), &error);
  for (int n = 0; n < 3; ++n) expect(fabs(scores[n] - again[n]) < 1e-12, "sparse rows are the same");
  rampart_data_free(&rows);
  rampart_model_free(&copy);
}

/* Columns with names, categories and missing values; rows that count more than others. */
static void use_a_table(void) {
  rampart_error* error = NULL;
  double x[40][2], weights[40];
  int8_t y[40];
  for (int n = 0; n < 40; ++n) {
    y[n] = n % 2 == 0 ? 1 : -1;
    x[n][0] = n % 8 == 0 ? NAN : y[n] + 0.1 * (n % 7);
    x[n][1] = n % 3; /* places in the list of categories */
    weights[n] = n < 20 ? 1 : 2;
  }
  const char* const names[] = {"size", "colour"};
  const char* const colours[] = {"blue", "green", "red"};
  rampart_data* data = NULL;
  require(rampart_data_dense(x, RAMPART_FLOAT64, 40, 2, 2, 1, &data, &error), &error);
  require(rampart_data_set_labels(data, y, "small", "large", &error), &error);
  require(rampart_data_set_weights(data, weights, &error), &error);
  require(rampart_data_set_names(data, names, &error), &error);
  require(rampart_data_set_categories(data, 1, colours, 3, &error), &error);
  const char* const settings[][2] = {{"kernel", "linear"}};
  rampart_options* options = options_with(settings, 1);
  rampart_run* run = NULL;
  require(rampart_train(data, options, NULL, NULL, NULL, &run, &error), &error);
  rampart_model* model = NULL;
  require(rampart_run_model(run, 1, &model, &error), &error);

  /* Rows to predict may have their own list of categories; "pink" is in none of training. */
  const double new_rows[2][2] = {{5, 0}, {5, 1}};
  const char* const new_colours[] = {"red", "pink"};
  int8_t reasons[2];
  rampart_data* rows = NULL;
  require(rampart_data_dense(new_rows, RAMPART_FLOAT64, 2, 2, 2, 1, &rows, &error), &error);
  require(rampart_data_set_categories(rows, 1, new_colours, 2, &error), &error);
  require(rampart_model_answers(model, rows, 0, NULL, reasons, NULL, NULL, &error), &error);
  expect(reasons[0] != RAMPART_UNSEEN && reasons[1] == RAMPART_UNSEEN, "pink is unseen");

  rampart_data_free(&rows);
  rampart_model_free(&model);
  rampart_run_free(&run);
  rampart_options_free(&options);
  rampart_data_free(&data);
}

/* A grid of C, by cross-validation. */
static void tune(const rampart_data* data) {
  rampart_error* error = NULL;
  rampart_options* options = NULL;
  require(rampart_options_for_tuning(&options, &error), &error);
  require(rampart_options_set(options, "kernel", "linear", &error), &error);
  require(rampart_options_set(options, "C", "0.1,1,10", &error), &error);
  require(rampart_options_set(options, "folds", "3", &error), &error);
  rampart_run* run = NULL;
  require(rampart_tune(data, options, NULL, NULL, &run, &error), &error);
  expect(strstr(rampart_run_json(run), "\"best\"") != NULL, "the report names the best point");
  rampart_run_free(&run);
  expect(rampart_tune(data, options, abandon, NULL, &run, NULL) == RAMPART_CANCELLED,
         "an observer can end it");
  rampart_options_free(&options);
}

/* Errors are codes and messages, whatever was passed. */
static void make_mistakes(rampart_data* data) {
  rampart_error* error = NULL;
  rampart_options* options = NULL;
  rampart_run* run = NULL;
  require(rampart_options_for_training(&options, &error), &error);
  expect(rampart_options_set(options, "gama", "1", &error) == RAMPART_BAD_OPTION, "no such option");
  expect(strstr(rampart_error_message(error), "gamma") != NULL, "the message has the right name");
  rampart_error_free(&error);
  require(rampart_options_set(options, "C", "-1", &error), &error);
  expect(rampart_train(data, options, NULL, NULL, NULL, &run, &error) == RAMPART_BAD_OPTION,
         "a value out of range");
  expect(run == NULL, "nothing is made");
  rampart_error_free(&error);
  rampart_options_free(&options);

  expect(rampart_train(data, NULL, NULL, NULL, NULL, &run, &error) == RAMPART_BAD_CALL,
         "NULL is noticed");
  rampart_error_free(&error);
  expect(rampart_train(data, (rampart_options*)data, NULL, NULL, NULL, &run, NULL) ==
             RAMPART_BAD_CALL,
         "a handle of another kind is noticed; nobody has to take the message");
  rampart_model* model = NULL;
  expect(rampart_model_load("{}", 2, 1, &model, &error) == RAMPART_BAD_MODEL, "not a model");
  rampart_error_free(&error);
  rampart_error_free(&error); /* freeing nothing does nothing */
}

int main(void) {
  printf("rampart %s\n", rampart_version());
  expect(rampart_c_api() == RAMPART_C_API, "the library is the one of the header");
  for (size_t k = 0; k < rampart_option_count(); ++k) {
    expect(*rampart_option_text(k, "about") != '\0', "every option is described");
  }

  static double x[ROWS][COLUMNS];
  static int8_t y[ROWS];
  make_rows(x, y);
  rampart_error* error = NULL;
  rampart_data* data = NULL;
  /* The rows are viewed, not copied: x and y must outlive the data. */
  require(rampart_data_dense(x, RAMPART_FLOAT64, ROWS, COLUMNS, COLUMNS, 1, &data, &error), &error);
  require(rampart_data_set_labels(data, y, "no", "yes", &error), &error);

  rampart_model* model = train(data);
  ask(model);
  tune(data);
  use_a_table();
  make_mistakes(data);
  rampart_model_free(&model);
  rampart_data_free(&data);
  return 0;
}
