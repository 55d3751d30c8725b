/* An Othello player: the legal move that turns most discs. */
#include <stdio.h>
#include <string.h>

/* Whether it is better to turn n discs than m. */
#define BETTER(n, m) ((n) > (m))

static char board[8][9];

static int turned(int x, int y, char mine, char other) {
    static const int dx[] = {1, 1, 0, -1, -1, -1, 0, 1}, dy[] = {0, 1, 1, 1, 0, -1, -1, -1};
    int all = 0;
    if (board[y][x] != '0') return 0;
    for (int d = 0; d < 8; d++) {
        int n = 0, cx = x + dx[d], cy = y + dy[d];
        while (cx >= 0 && cx < 8 && cy >= 0 && cy < 8 && board[cy][cx] == other) {
            n++;
            cx += dx[d];
            cy += dy[d];
        }
        if (n && cx >= 0 && cx < 8 && cy >= 0 && cy < 8 && board[cy][cx] == mine) all += n;
    }
    return all;
}

int main(int count, char **words) {
    if (count != 10) {
        fprintf(stderr, "othello: %d arguments instead of 9\n", count - 1);
        return 2;
    }
    for (int y = 0; y < 8; y++) {
        if (strlen(words[y + 1]) != 8 || strspn(words[y + 1], "012") != 8) {
            fprintf(stderr, "othello: %s is no row\n", words[y + 1]);
            return 2;
        }
        strcpy(board[y], words[y + 1]);
    }
    if (strcmp(words[9], "1") && strcmp(words[9], "2")) {
        fprintf(stderr, "othello: %s is no colour\n", words[9]);
        return 2;
    }
    char mine = words[9][0], other = mine == '1' ? '2' : '1';
    int best = 0, bx = -1, by = -1;
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++) {
            int n = turned(x, y, mine, other);
            if (n && (bx < 0 || BETTER(n, best))) best = n, bx = x, by = y;
        }
    printf("%d,%d\n", bx, by);
    return 0;
}
