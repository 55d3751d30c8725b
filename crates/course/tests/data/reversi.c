/* The Reversi dialogue: plays White against whoever types the moves of Black. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char board[8][8];

/* How many discs a move turns; turns them if it is to be made. */
static int turn(int x, int y, char mine, int make) {
    static const int dx[] = {1, 1, 0, -1, -1, -1, 0, 1}, dy[] = {0, 1, 1, 1, 0, -1, -1, -1};
    char other = mine == 'C' ? 'B' : 'C';
    int all = 0;
    if (board[y][x] != '-') return 0;
    for (int d = 0; d < 8; d++) {
        int n = 0, cx = x + dx[d], cy = y + dy[d];
        while (cx >= 0 && cx < 8 && cy >= 0 && cy < 8 && board[cy][cx] == other) {
            n++;
            cx += dx[d];
            cy += dy[d];
        }
        if (!n || cx < 0 || cx > 7 || cy < 0 || cy > 7 || board[cy][cx] != mine) continue;
        all += n;
        for (int i = n; make && i > 0; i--) board[y + i * dy[d]][x + i * dx[d]] = mine;
    }
    if (all && make) board[y][x] = mine;
    return all;
}

static int lead(void) {
    int n = 0;
    for (int i = 0; i < 64; i++) n += (board[i / 8][i % 8] == 'C') - (board[i / 8][i % 8] == 'B');
    return n;
}

static void show(void) {
    for (int y = 0; y < 8; y++) printf("%.8s%d\n", board[y], y + 1);
    puts("abcdefgh");
    fflush(stdout);
}

/* White's reply. */
static void reply(char *move) {
    int best = 0, bx = 0, by = 0;
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++) {
            int n = turn(x, y, 'B', 0);
            if (n > best) best = n, bx = x, by = y;
        }
    strcpy(move, "=");
    if (!best) return;
    turn(bx, by, 'B', 1);
    sprintf(move, "%c%d", 'a' + bx, by + 1);
}

int main(void) {
    char *line = NULL, white[16];
    size_t room = 0;
    ssize_t length;
    memset(board, '-', sizeof board);
    board[3][3] = board[4][4] = 'B';
    board[3][4] = board[4][3] = 'C';
    show();
    while ((length = getline(&line, &room, stdin)) > 0) {
        if (line[length - 1] == '\n') length--;
        int pass = length == 1 && line[0] == '=';
        int square = length == 2 && line[0] >= 'a' && line[0] <= 'h' && line[1] >= '1' && line[1] <= '8';
        if (pass || (square && turn(line[0] - 'a', line[1] - '1', 'C', 1))) {
            reply(white);
            printf("%.*s %s %d\n", (int)length, line, white, lead());
        } else {
            printf("? %d\n", lead());
        }
        show();
    }
    return 0;
}
